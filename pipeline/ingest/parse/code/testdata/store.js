/*!
 * Lantern 2
 * (c) 2026 Lantern
 * Licensed under the MIT licence
 */

/**
 * Keeps lamps.
 * @module store
 */
'use strict'

const fs = require('fs')
const RE = /[{"'`]\/{/g, half = 4 / 2
const template = `a ${ fs.x({ y: `}` }) } {`

/**
 * Opens a store.
 *
 * @param {string} path - where it lies
 * @returns {Promise<Store>} the store,
 *   opened
 * @example
 * const s = await open('x')
 */
export async function open(path, { mode = 'r' } = {}) {
  if (path) { return new Store(path) }
}

export default class Store extends Base {
  static count = 0
  #lamps = new Map()

  constructor(path) {
    super(path)
    this.path = path
  }

  // Adds a lamp.
  add(lamp) { this.#lamps.set(lamp.id, lamp) }

  get size() {
    return this.#lamps.size
  }

  onClose = () => {
    done()
  }
}

export const close = async (store) => {
  await store.end()
}

Store.prototype.each = function (f) {
  for (const l of this) { f(l) }
}

module.exports.helper = () => 1

if (require.main === module) {
  open('.').then((s) => {
    function inner() {}
  })
}
