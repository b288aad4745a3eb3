/* Copyright 2026. */
package org.lantern;

import java.util.List;

/**
 * A lamp that <b>burns</b>.
 * <p>
 * Use it as in
 * <pre>{@code
 * Lamp l = new Lamp();
 * }</pre>
 *
 * @param <T> of oil
 * @see Oil
 */
@Deprecated
@SuppressWarnings({"unchecked", "{"})
public final class Lamp<T extends Oil> extends Base implements Light, Comparable<Lamp<T>> {
    /** How many. */
    public static final int MOST = 3;
    private final Runnable r = new Runnable() {
        public void run() { }
    };

    static { init("}"); }

    /**
     * Makes a lamp with {@code oil}; see {@link Oil#burn()}.
     *
     * @param oil what it burns
     */
    public Lamp(T oil) throws java.io.IOException {
        this.c = '{';
    }

    @Override
    public <R> List<R> light(
            int wick,
            String name) {
        if (wick > 0) {
            for (;;) { }
        }
        return null;
    }

    protected abstract void off();

    public enum Kind {
        OIL("x") , GAS;

        Kind(String s) { }
    }

    @interface Note {
        String value() default "";
    }
}

record Point(int x, int y) { }
