import { Oil } from './oil'

/** What a lamp can be told. */
export interface Lamp<T extends object = {}> {
  readonly id: string
  /**
   * Lights it.
   * @param wick Which *wick*.
   */
  light(wick: string): Promise<void>
  off(): void
}

export type Kind = 'oil' | 'gas'
export type Big = {
  a: string
}

/** Kinds of oil. */
export enum OilKind { Whale, Olive }

@Component({
  selector: 'lamp',
})
export abstract class View<T> implements Lamp<T> {
  private x: Array<{ a: number }> = []

  constructor(private readonly oil: Oil) { super() }

  async light(wick: string): Promise<void> {
    await this.oil.burn<T>(wick)
  }

  protected abstract draw(): void
}

export function isLamp(x: unknown): x is Lamp {
  return true
}

declare module 'lantern' {
  export function global(): string
}

export const handler: Handler<{ a: string }> = async ({ a }) => {
  return a
}
