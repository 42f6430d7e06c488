package server;

import java.io.FileInputStream;
import java.io.IOException;

/** Refuses to go on outside of the sandbox: the servers run code of strangers. See enclosure.py, which asks for more. */
final class Enclosure {
    private static final String[] WANTED = {"\nNoNewPrivs:\t1\n", "\nSeccomp:\t2\n", "\nCapEff:\t0000000000000000\n"};

    private Enclosure() {}

    /** End this process unless it is in the sandbox. */
    static void require() {
        String said = "";
        try (FileInputStream file = new FileInputStream("/proc/self/status")) {
            said = new String(file.readAllBytes(), "US-ASCII");
        } catch (IOException error) {
            // Nothing is known: that is not the sandbox.
        }
        boolean inside = !said.contains("\nUid:\t0\t");
        for (String one : WANTED) inside = inside && said.contains(one);
        if (!inside) {
            System.err.println("This program runs code of strangers, in the sandbox only.");
            System.exit(1);
        }
    }
}
