package server;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs inside the sandbox: calls fragments that were compiled elsewhere, and says what happened, a line for each call.
 *
 * The host decides which fragments share this process: only those whose classes refer to nothing that another could
 * notice (see Harmless). It reads each line with distrust, ends this process when a call takes too long, and compares.
 */
public final class RunServer {
    /** Calls that may use all steps; those that use up fewer may still come to an end. */
    private static final int PATIENT = 1;

    private static final int MAX_OUTPUT = 100_000;
    private static final int UNENDED = 1_000;
    private static final long STACK = 4L << 20;
    /** How long a program may go on behind its main method: less than the host waits. */
    private static final long BEHIND = 1_500_000_000L;

    private static final Channel channel = new Channel();
    private static boolean clean;
    /** Whether threads of a call go on: another call in this process would read and print together with them. */
    private static boolean goesOn;
    /** The first error that ended a thread of a call. */
    private static volatile Throwable fallen;

    /** Standard output of a call, up to a limit, and up to where the call ends the program. */
    private static final class Capped extends OutputStream implements Runnable {
        private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
        private PrintStream stream;
        private boolean closed;

        @Override
        public synchronized void run() {
            stream.flush();
            closed = true;
        }

        @Override
        public synchronized void write(int one) {
            if (!closed && kept.size() < MAX_OUTPUT) kept.write(one);
        }

        @Override
        public synchronized void write(byte[] bytes, int start, int length) {
            if (!closed) kept.write(bytes, start, Math.max(0, Math.min(length, MAX_OUTPUT - kept.size())));
        }

        synchronized String text() {
            return kept.toString(StandardCharsets.UTF_8);
        }
    }

    /** What a fragment counts with: the same for all its calls, also where its own classes are loaded anew for each. */
    private static final class Counters {
        private final FragmentLoader loader;
        private final Field seen;
        private final Field left;
        private final Field random;
        private final Method limit;
        private final Field exited;
        private final Field status;
        private final Field atExit;

        Counters(Map<String, byte[]> classes, Map<?, ?> job) throws ReflectiveOperationException {
            Map<String, byte[]> own = new HashMap<>();
            for (String name : classes.keySet()) {
                if (name.startsWith("clonetruth_points.")) own.put(name, classes.get(name));
            }
            loader = new FragmentLoader(own, ClassLoader.getPlatformClassLoader());
            Class<?> reached = loader.loadClass("clonetruth_points.Reached");
            reached.getField("seed").setLong(null, (Long) job.get("seed"));
            seen = reached.getField("seen");
            left = reached.getField("left");
            random = reached.getField("random");
            limit = reached.getMethod("limit", long.class);
            exited = reached.getField("exited");
            status = reached.getField("status");
            atExit = reached.getField("atExit");
            left.setLong(null, (Long) job.get("steps"));
        }
    }

    /** A fragment as it was loaded. */
    private static final class Loaded {
        private final FragmentLoader loader;
        private final Method method;
        private final Class<?> owner;
        private final Type[] types;
        private final List<Field> fields = new ArrayList<>();
        private final List<Field> state = new ArrayList<>();

        Loaded(Map<String, byte[]> classes, Map<?, ?> job, Counters counters) throws ReflectiveOperationException {
            loader = new FragmentLoader(classes, counters.loader);
            owner = loader.loadClass((String) job.get("owner"));
            String wanted = (String) job.get("method");
            List<?> wantedTypes = (List<?>) job.get("types");
            Method found = null;
            for (Method one : owner.getDeclaredMethods()) {
                List<String> given = new ArrayList<>();
                for (Class<?> type : one.getParameterTypes()) given.add(type.getTypeName());
                if (one.getName().equals(wanted) && !one.isBridge() && (wantedTypes == null || given.equals(wantedTypes))) found = one;
            }
            if (found == null) throw new NoSuchMethodException(wanted);
            found.setAccessible(true);
            method = found;
            types = found.getGenericParameterTypes();
            for (Object name : (List<?>) job.get("fields")) {
                Field field = owner.getDeclaredField((String) name);
                field.setAccessible(true);
                fields.add(field);
            }
            for (Object name : (List<?>) job.get("state")) {
                Field field = owner.getDeclaredField((String) name);
                field.setAccessible(true);
                state.add(field);
            }
        }
    }

    public static void main(String[] given) throws Exception {
        Enclosure.require();
        Thread.setDefaultUncaughtExceptionHandler(new Thread.UncaughtExceptionHandler() {
            @Override
            public void uncaughtException(Thread thread, Throwable error) {
                if (fallen == null) fallen = error;
            }
        });
        Map<String, Map<String, byte[]>> known = new HashMap<>();
        for (Map<?, ?> next = channel.next(); next != null; next = channel.next()) {
            Map<?, ?> job = next;
            Object dropped = job.get("drop");
            if (dropped != null) known.keySet().removeAll((List<?>) dropped);
            if (job.get("classes") != null) {
                Map<String, byte[]> classes = new HashMap<>();
                int at = 0;
                for (Map.Entry<?, ?> one : ((Map<?, ?>) job.get("classes")).entrySet()) {
                    int end = at + ((Long) one.getValue()).intValue();
                    classes.put((String) one.getKey(), Arrays.copyOfRange(channel.attached, at, end));
                    at = end;
                }
                known.put((String) job.get("id"), classes);
            }
            Map<String, byte[]> classes = known.get(job.get("id"));
            String nonce = (String) job.get("nonce");
            // Without a lambda, which would cost each new process the start of the machinery behind it.
            Thread thread = new Thread(null, new Runnable() {
                @Override
                public void run() {
                    calls(job, classes, nonce);
                }
            }, "calls", STACK);
            int before = Thread.activeCount();
            clean = true;
            // From here on the host waits for calls, and no longer for this process.
            channel.say(nonce, Map.of("begun", true));
            thread.start();
            thread.join();
            channel.say(nonce, Map.of("end", clean && Thread.activeCount() <= before));
        }
        Runtime.getRuntime().halt(0);
    }

    /** The host ends this process if it does not hear of a call. */
    private static void say(String nonce, Object said) {
        try {
            channel.say(nonce, said);
        } catch (IOException error) {
            clean = false;
        }
    }

    private static void calls(Map<?, ?> job, Map<String, byte[]> classes, String nonce) {
        List<?> all = (List<?>) job.get("calls");
        List<?> stdins = (List<?>) job.get("stdins");
        boolean anew = (Boolean) job.get("anew");
        Loaded loaded = null;
        Counters counters = null;
        List<?> shorter = (List<?>) job.get("short");
        long late = (Long) job.get("late");
        boolean skips = (Boolean) job.get("skips");
        boolean[] seen = new boolean[((Long) job.get("points")).intValue()];
        for (int at = 0; at < all.size(); at++) {
            Map<String, Object> found = new LinkedHashMap<>();
            // The other side did not come to an end with this input: there is nothing to compare, unless this one does.
            boolean others = (Boolean) shorter.get(at);
            if (others && skips) {
                found.put("ended", "too slow");
                say(nonce, found);
                continue;
            }
            try {
                if (counters == null) counters = new Counters(classes, job);
                if (loaded == null || anew) loaded = new Loaded(classes, job, counters);
                long before = others ? Math.max(late, PATIENT) : late;
                call(loaded, counters, (List<?>) all.get(at), (String) stdins.get(at), job, before, found);
                if ("timed out".equals(found.get("ended"))) {
                    if (before >= PATIENT) found.put("ended", "too slow");
                    if (others) skips = true;
                    else late++;
                }
                boolean[] now = (boolean[]) counters.seen.get(null);
                List<Object> reached = new ArrayList<>();
                for (int point = 0; point < seen.length; point++) {
                    if (now[point] && !seen[point]) reached.add((long) point);
                    seen[point] |= now[point];
                }
                if (!reached.isEmpty()) found.put("reached", reached);
            } catch (Throwable error) {
                clean = false;
                found.clear();
                found.put("failed", error.getClass().getSimpleName() + ": " + error.getMessage());
            }
            say(nonce, found);
            if (goesOn) {
                clean = false;
                return;
            }
        }
    }

    /** The steps or the time that a call may take: less, once calls of the fragment have taken too much. */
    private static long share(long full, long late) {
        return late < PATIENT ? full : late < 8 ? full / 20 : late < 20 ? full / 100 : full / 500;
    }

    private static void call(
        Loaded loaded, Counters counters, List<?> forms, String stdin, Map<?, ?> job, long late, Map<String, Object> found)
        throws ReflectiveOperationException {
        Capped capped = new Capped();
        PrintStream output = new PrintStream(capped, false, StandardCharsets.UTF_8);
        capped.stream = output;
        System.setOut(output);
        System.setErr(new PrintStream(OutputStream.nullOutputStream()));
        System.setIn(new ByteArrayInputStream(stdin.getBytes(StandardCharsets.UTF_8)));
        counters.seen.set(null, new boolean[((Long) job.get("points")).intValue()]);
        counters.left.setLong(null, share((Long) job.get("steps"), late));
        counters.limit.invoke(null, share(1_000_000 * (Long) job.get("milliseconds"), late));
        counters.random.set(null, null);
        counters.exited.setBoolean(null, false);
        counters.atExit.set(null, capped);
        fallen = null;
        List<Thread> others = threads();
        try {
            work(loaded, forms, found);
        } catch (InvocationTargetException error) {
            raised(error.getCause(), found);
        } catch (ClassCastException | ArithmeticException | IllegalArgumentException error) {
            // The argument does not fit the parameter.
            raised(error instanceof ClassCastException ? error : new ClassCastException(), found);
        } catch (Throwable error) {
            raised(error, found);
        }
        // A program ends with the last thread that it started.
        boolean program = loaded.method.getName().equals("main");
        goesOn = program && !ended(others);
        Throwable error = fallen;
        if (goesOn) {
            found.clear();
            found.put("ended", "timed out");
        } else if (error != null && (program || error instanceof Error) && !found.containsKey("ended")) {
            raised(error, found);
        }
        output.flush();
        if (System.out != output) clean = false;
        if (counters.exited.getBoolean(null)) exited(loaded, counters.status.getInt(null), found);
        String text = capped.text();
        // What a call printed that did not come to an end is not compared.
        found.put("output", found.containsKey("ended") ? text.substring(0, Math.min(text.length(), UNENDED)) : text);
    }

    private static List<Thread> threads() {
        Thread[] all = new Thread[Thread.activeCount() + 100];
        return Arrays.asList(Arrays.copyOf(all, Thread.enumerate(all)));
    }

    /** Whether all threads ended that a program waits for, besides some. */
    private static boolean ended(List<Thread> others) {
        long until = System.nanoTime() + BEHIND;
        for (;;) {
            Thread next = null;
            for (Thread one : threads()) if (one.isAlive() && !one.isDaemon() && !others.contains(one)) next = one;
            if (next == null) return true;
            long left = (until - System.nanoTime()) / 1_000_000;
            if (left <= 0) return false;
            try {
                next.join(left);
            } catch (InterruptedException error) {
                return false;
            }
        }
    }

    /** A program that ends itself with status 0 ended normally, whatever it did with the error behind that. */
    private static void exited(Loaded loaded, int status, Map<String, Object> found) {
        found.remove("returned");
        found.remove("changed");
        found.remove("raised");
        found.remove("ended");
        if (status == 0 && loaded.method.getName().equals("main")) found.put("returned", null);
        else found.put("raised", "exit " + (status & 255));
    }

    private static void raised(Throwable error, Map<String, Object> found) {
        while (error instanceof ExceptionInInitializerError && error.getCause() != null) error = error.getCause();
        found.remove("returned");
        found.remove("changed");
        String name = error.getClass().getName();
        if (name.equals("clonetruth_points.Reached$OutOfSteps")) {
            found.put("ended", "timed out");
        } else if (error instanceof OutOfMemoryError) {
            found.put("ended", "out of memory");
            clean = false;
        } else {
            found.put("raised", error.getClass().getSimpleName());
            // A stack overflow or a failed class of the JDK may leave something half-initialised.
            if (error instanceof VirtualMachineError || error instanceof LinkageError) clean = false;
        }
    }

    private static void work(Loaded loaded, List<?> given, Map<String, Object> found) throws ReflectiveOperationException {
        Method method = loaded.method;
        // What makes the object of a method, and what is done with it before and afterwards.
        Map<?, ?> history = given.isEmpty() || !(given.get(0) instanceof Map) ? null : (Map<?, ?>) ((Map<?, ?>) given.get(0)).get("receiver");
        List<?> forms = history == null ? given : given.subList(1, given.size());
        Arguments arguments = new Arguments(loaded.loader);
        Type[] types = loaded.types;
        Object[] values = new Object[types.length];
        boolean program = method.getName().equals("main") && types.length == 1 && forms.size() == loaded.fields.size();
        if (program) {
            values[0] = new String[0];
        } else if (forms.size() != types.length + loaded.fields.size()) {
            throw new ClassCastException("takes " + types.length + " arguments");
        }
        for (int at = 0; at < types.length && !program; at++) values[at] = arguments.make(forms.get(at), types[at]);
        Object receiver = Modifier.isStatic(method.getModifiers()) ? null
            : history == null || ((List<?>) history.get("made")).isEmpty() ? Arguments.created(loaded.owner, null)
            : arguments.constructed(loaded.owner, (List<?>) history.get("made"));
        for (int at = 0; at < loaded.fields.size(); at++) {
            Field field = loaded.fields.get(at);
            field.set(receiver, arguments.make(forms.get(forms.size() - loaded.fields.size() + at), field.getGenericType()));
        }
        boolean changes = !program && (!loaded.fields.isEmpty() || !areFixed(values));
        String before = changes ? Json.write(state(loaded, values, receiver)) : "";
        if (history != null) for (Object one : (List<?>) history.get("before")) arguments.shown(receiver, (List<?>) one);
        Object returned = method.invoke(receiver, values);
        boolean follows = history != null && history.get("after") != null;
        if (follows) returned = arguments.shown(receiver, (List<?>) history.get("after"));
        boolean leaves = method.getReturnType() == void.class && !program && !loaded.state.isEmpty() && !follows;
        found.put("returned", leaves ? left(loaded.state) : Forms.of(returned));
        if (!changes) return;
        Object after = state(loaded, values, receiver);
        if (!Json.write(after).equals(before)) found.put("changed", after);
    }

    /** Whether no call can change these arguments. */
    private static boolean areFixed(Object[] values) {
        for (Object one : values) {
            boolean fixed = one == null || one instanceof String || one instanceof Integer || one instanceof Long || one instanceof Double
                || one instanceof Boolean || one instanceof Character || one instanceof Float || one instanceof Short || one instanceof Byte;
            if (!fixed) return false;
        }
        return true;
    }

    /** What a method without a result leaves in variables of its class. */
    private static Object left(List<Field> state) throws ReflectiveOperationException {
        List<Object> found = new ArrayList<>();
        for (Field field : state) found.add(Arrays.asList(field.getName(), Forms.of(field.get(null))));
        return Forms.tagged("object", Arrays.asList("static fields", found));
    }

    /** The arguments as they are now; what an iterator gave is gone. */
    private static List<Object> state(Loaded loaded, Object[] values, Object receiver) throws ReflectiveOperationException {
        List<Object> all = new ArrayList<>(Arrays.asList(values));
        for (Field field : loaded.fields) all.add(field.get(receiver));
        List<Object> found = new ArrayList<>();
        for (Object one : all) {
            boolean drawn = one instanceof java.util.Iterator || one instanceof java.util.stream.BaseStream
                || one instanceof java.util.Enumeration;
            boolean function = one != null && !(one instanceof Iterable) && (one instanceof java.util.Comparator
                || one.getClass().isSynthetic() || one.getClass().isHidden());
            found.add(drawn || function || one instanceof java.util.Random || one instanceof java.io.Closeable
                ? null : Forms.of(one));
        }
        return found;
    }
}
