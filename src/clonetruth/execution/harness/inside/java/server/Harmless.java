package server;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.Map;
import java.util.Set;

/**
 * Whether classes refer only to what leaves no trace in the process: then another fragment may run after them.
 *
 * It reads the constant pools, in which every class, method and field that code can name is listed; without reflection
 * nothing else can be reached. What is not on the list is not harmless.
 */
final class Harmless {
    private static final Set<String> PACKAGES = Set.of("java/util", "java/util/function", "java/util/stream", "java/util/regex",
        "java/math", "java/text", "java/time", "java/time/format", "java/time/temporal", "java/util/concurrent/atomic",
        "java/lang/annotation", "java/nio/charset", "clonetruth_points");
    private static final Set<String> CLASSES = Set.of("java/lang/String", "java/lang/StringBuilder", "java/lang/StringBuffer",
        "java/lang/Math", "java/lang/StrictMath", "java/lang/Integer", "java/lang/Long", "java/lang/Double", "java/lang/Float",
        "java/lang/Short", "java/lang/Byte", "java/lang/Boolean", "java/lang/Character", "java/lang/Number", "java/lang/Object",
        "java/lang/Comparable", "java/lang/Iterable", "java/lang/CharSequence", "java/lang/Enum", "java/lang/Record",
        "java/lang/Void", "java/lang/System", "java/lang/Throwable", "java/lang/Cloneable", "java/lang/Runnable",
        "java/lang/AutoCloseable", "java/lang/Override", "java/lang/Class", "java/lang/Deprecated", "java/lang/FunctionalInterface",
        "java/lang/SuppressWarnings", "java/lang/SafeVarargs", "java/lang/Character$UnicodeBlock", "java/lang/Appendable",
        "java/lang/StackTraceElement", "java/lang/invoke/MethodHandles$Lookup", "java/lang/invoke/MethodHandles",
        "java/lang/invoke/LambdaMetafactory", "java/lang/invoke/StringConcatFactory", "java/lang/invoke/CallSite",
        "java/lang/invoke/MethodType", "java/lang/invoke/MethodHandle", "java/lang/runtime/ObjectMethods",
        "java/lang/invoke/TypeDescriptor", "java/io/PrintStream", "java/io/BufferedReader", "java/io/InputStreamReader",
        "java/io/Reader", "java/io/InputStream", "java/io/StringReader", "java/io/StringWriter", "java/io/PrintWriter",
        "java/io/Serializable", "java/io/ByteArrayInputStream", "java/io/ByteArrayOutputStream", "java/io/Writer",
        "java/io/OutputStream", "java/io/OutputStreamWriter", "java/io/BufferedWriter", "java/io/Closeable",
        "java/io/StreamTokenizer", "java/util/concurrent/ConcurrentLinkedQueue", "java/util/concurrent/ConcurrentLinkedDeque",
        "java/util/concurrent/CopyOnWriteArrayList", "java/util/concurrent/ThreadLocalRandom", "java/util/concurrent/TimeUnit");
    private static final Set<String> REFUSED_CLASSES = Set.of("java/util/Timer", "java/util/TimerTask", "java/util/ServiceLoader",
        "java/util/ResourceBundle", "java/util/Formatter", "java/util/PropertyResourceBundle", "java/util/ListResourceBundle");
    private static final Set<String> SYSTEM = Set.of("out", "err", "in", "arraycopy", "currentTimeMillis", "nanoTime",
        "identityHashCode", "lineSeparator");
    private static final Set<String> CLASS = Set.of("getName", "getSimpleName", "equals", "hashCode", "isInstance", "cast", "toString",
        "desiredAssertionStatus", "getEnumConstants", "isArray", "getTypeName", "getComponentType");
    private static final Set<String> BOOTSTRAPS = Set.of("metafactory", "altMetafactory", "makeConcatWithConstants", "bootstrap");

    private Harmless() {
    }

    /** What is not harmless; null if there is nothing. */
    static String offence(Map<String, byte[]> classes) throws IOException {
        for (byte[] one : classes.values()) {
            String found = offence(one, classes);
            if (found != null) return found;
        }
        return null;
    }

    private static String offence(byte[] code, Map<String, byte[]> classes) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(code));
        in.skipBytes(8);
        int count = in.readUnsignedShort();
        int[] tags = new int[count];
        int[][] parts = new int[count][2];
        String[] texts = new String[count];
        for (int at = 1; at < count; at++) {
            tags[at] = in.readUnsignedByte();
            switch (tags[at]) {
                case 1:
                    texts[at] = in.readUTF();
                    break;
                case 3:
                case 4:
                    in.readInt();
                    break;
                case 5:
                case 6:
                    in.readLong();
                    at++;
                    break;
                case 7:
                case 8:
                case 16:
                case 19:
                case 20:
                    parts[at][0] = in.readUnsignedShort();
                    break;
                case 15:
                    in.readUnsignedByte();
                    parts[at][0] = in.readUnsignedShort();
                    break;
                default:
                    parts[at][0] = in.readUnsignedShort();
                    parts[at][1] = in.readUnsignedShort();
            }
        }
        for (int at = 1; at < count; at++) {
            if (tags[at] == 7) {
                String name = element(texts[parts[at][0]]);
                if (!isOwn(name, classes) && !isAllowed(name)) return name;
            } else if (tags[at] >= 9 && tags[at] <= 11) {
                String owner = element(texts[parts[parts[at][0]][0]]);
                int named = parts[at][1];
                String name = texts[parts[named][0]];
                String descriptor = texts[parts[named][1]];
                // An inherited method of the JDK is named by the class of the fragment that inherits it.
                if (!isAllowedMember(owner, name, descriptor)) return owner + "." + name;
            } else if (tags[at] == 1 && texts[at].equals("finalize")) {
                return "finalize";
            }
        }
        return null;
    }

    private static boolean isOwn(String name, Map<String, byte[]> classes) {
        return classes.containsKey(name.replace('/', '.'));
    }

    /** The class of the elements of an array; empty for primitive ones. */
    private static String element(String name) {
        if (!name.startsWith("[")) return name;
        String inner = name.replaceFirst("^\\[+", "");
        return inner.startsWith("L") ? inner.substring(1, inner.length() - 1) : "";
    }

    private static boolean isAllowed(String name) {
        if (name.isEmpty() || CLASSES.contains(name)) return true;
        String outer = name.contains("$") ? name.substring(0, name.indexOf('$')) : name;
        if (REFUSED_CLASSES.contains(outer)) return false;
        int end = name.lastIndexOf('/');
        String folder = end < 0 ? "" : name.substring(0, end);
        boolean thrown = name.endsWith("Exception") || name.endsWith("Error");
        return PACKAGES.contains(folder) || (thrown && (folder.equals("java/lang") || folder.equals("java/io")));
    }

    private static boolean isAllowedMember(String owner, String name, String descriptor) {
        if (name.startsWith("parallel") || name.equals("setDefault") || name.equals("wait") || name.startsWith("notify")
            || name.equals("getClassLoader") || name.equals("sleep")) {
            return false;
        }
        if (owner.equals("java/lang/System")) return SYSTEM.contains(name);
        if (owner.equals("java/lang/Class")) return CLASS.contains(name);
        if (owner.startsWith("java/lang/invoke/") || owner.startsWith("java/lang/runtime/")) return BOOTSTRAPS.contains(name);
        boolean constructs = name.equals("<init>");
        boolean byName = descriptor.startsWith("(Ljava/lang/String;");
        if (constructs && (owner.equals("java/io/PrintStream") || (owner.equals("java/io/PrintWriter") && byName))) {
            return descriptor.startsWith("(Ljava/io/OutputStream;");
        }
        // The counters are the server's: a fragment that names them itself would change what is said of it only.
        return true;
    }
}
