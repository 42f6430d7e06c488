package server;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * Jobs of the host, and lines back. A job is its length, the length of what is attached, JSON, and what is attached.
 *
 * Readers, writers and base 64 go from letter to letter, which is slow in a process that has just begun.
 */
final class Channel {
    private final DataInputStream jobs = new DataInputStream(new FileInputStream(FileDescriptor.in));
    private final FileOutputStream answers = new FileOutputStream(FileDescriptor.out);

    /** What is attached to the last job. */
    byte[] attached;

    /** The next job; null if there is none. */
    Map<?, ?> next() throws IOException {
        int length;
        try {
            length = jobs.readInt();
        } catch (EOFException end) {
            return null;
        }
        int further = jobs.readInt();
        String job = new String(jobs.readNBytes(length), StandardCharsets.ISO_8859_1);
        attached = jobs.readNBytes(further);
        return (Map<?, ?>) Json.parse(job);
    }

    /** Write a line: JSON is ASCII here. */
    void say(String nonce, Object said) throws IOException {
        answers.write((nonce + " " + Json.write(said) + "\n").getBytes(StandardCharsets.ISO_8859_1));
    }
}
