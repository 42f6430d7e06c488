package clonetruth_points;

import java.util.Random;

/** What a fragment reached, loaded anew with every fragment: its counters are inserted by the compiler. */
public final class Reached {
    /** The fragment took more steps than it may; it does so again whenever this is caught. */
    public static final class OutOfSteps extends Error {
        OutOfSteps() {
            super("out of steps", null, false, false);
        }
    }

    public static boolean[] seen = new boolean[0];
    public static long left = Long.MAX_VALUE;
    public static long seed;
    public static Random random;

    private Reached() {
    }

    public static void hit(int point) {
        if (point < seen.length) seen[point] = true;
        if (--left < 0) throw new OutOfSteps();
    }

    public static double random() {
        if (random == null) random = seeded();
        return random.nextDouble();
    }

    public static Random seeded() {
        // Neighbouring seeds would give similar first numbers.
        return new Random(seed * 0x9E3779B97F4A7C15L + 12345);
    }
}
