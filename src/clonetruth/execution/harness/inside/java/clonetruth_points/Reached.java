package clonetruth_points;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Random;

/** What a fragment reached, loaded anew with every fragment: its counters are inserted by the compiler. */
public final class Reached {
    /** The fragment took more steps than it may; it does so again whenever this is caught. */
    public static final class OutOfSteps extends Error {
        OutOfSteps() {
            super("out of steps", null, false, false);
        }
    }

    /** The fragment ended the program; it does so again whenever this is caught. */
    public static final class Exited extends Error {
        Exited() {
            super("exited", null, false, false);
        }
    }

    /** Whether the fragment ended the program, with what status, and what to do at that moment. */
    public static boolean exited;
    public static int status;
    public static Runnable atExit;

    public static boolean[] seen = new boolean[0];
    public static long left = Long.MAX_VALUE;
    public static long seed;
    public static Random random;

    private static long look = Long.MAX_VALUE;
    private static long most;
    private static long used = -1;

    private Reached() {
    }

    public static void hit(int point) {
        if (point < seen.length) seen[point] = true;
        if (--left < 0 || (left & 1023) == 0 && System.nanoTime() > look && late()) {
            if (exited) throw new Exited();
            throw new OutOfSteps();
        }
    }

    /** In place of System.exit and Runtime.halt, which would take the server along, and what was printed. */
    public static void exit(int code) {
        if (!exited) {
            exited = true;
            status = code;
            left = 0;
            if (atExit != null) atExit.run();
        }
        throw new Exited();
    }

    /** How long the next call may take on the processor, with what collecting its garbage takes. */
    public static void limit(long nanoseconds) {
        most = nanoseconds / 2;
        look = System.nanoTime() + most;
        used = -1;
    }

    /** Whether the time is over: the second half of it by the clock of the process, which is not asked before. */
    private static boolean late() {
        long now = cpu();
        if (used < 0) used = now;
        if (now - used >= most) left = 0;
        look = System.nanoTime() + Math.max(5_000_000, (most - now + used) / 2);
        return left == 0;
    }

    /** Nanoseconds that this process has used; 0 if the kernel does not say. */
    private static long cpu() {
        try (FileInputStream file = new FileInputStream("/proc/self/stat")) {
            String[] fields = new String(file.readAllBytes(), StandardCharsets.US_ASCII).split(" ");
            return (Long.parseLong(fields[13]) + Long.parseLong(fields[14])) * 10_000_000;
        } catch (IOException | RuntimeException error) {
            return 0;
        }
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
