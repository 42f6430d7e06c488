package clonetruth_points;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;

/** Functions that a fragment calls and does not bring: any function will do, if it is the same one for both fragments. */
public final class Missing {
    private static final String[] TEXTS = {"", "a", "abc", "12", "x y", "Zz"};

    /** What objects of missing classes were made of, as a text. Such classes have no equality of their own. */
    private static final Map<Object, String> MADE = Collections.synchronizedMap(new WeakHashMap<>());

    private Missing() {
    }

    /** An object of a missing class was made of these. */
    public static void made(Object one, Object... given) {
        MADE.put(one, written(given));
    }

    /** The arguments of a method of an object: what the object was made of belongs to them. */
    public static Object[] of(Object one, Object... given) {
        String made = MADE.get(one);
        return made == null ? given : new Object[] {made, given};
    }

    /** In the place of a pause: it takes no time. */
    public static void sleep(long milliseconds, int... nanoseconds) throws InterruptedException {
        if (milliseconds < 0) throw new IllegalArgumentException("timeout value is negative");
    }

    private static int chosen(int environment, String name, Object[] given, int limit) {
        return Math.floorMod((environment + name + written(given)).hashCode() * 0x9E3779B1 >>> 7, limit);
    }

    /** Arguments as a text: those whose contents are not known count by their class, and by what they were made of. */
    private static String written(Object one) {
        if (one instanceof Object[]) {
            StringBuilder found = new StringBuilder();
            for (Object inner : (Object[]) one) found.append(written(inner)).append(',');
            return found.toString();
        }
        if (one instanceof Set || one instanceof Map) {
            // Whichever class it is, and in whichever order it has them.
            List<String> found = new ArrayList<>();
            if (one instanceof Set) for (Object inner : (Set<?>) one) found.add(written(inner));
            else for (Map.Entry<?, ?> inner : ((Map<?, ?>) one).entrySet()) {
                found.add(written(inner.getKey()) + "=" + written(inner.getValue()));
            }
            Collections.sort(found);
            return found.toString();
        }
        if (one instanceof Collection) return written(((Collection<?>) one).toArray());
        if (one instanceof Double || one instanceof Float) {
            // Equal numbers of other types are the same argument.
            double number = ((Number) one).doubleValue();
            if (number == Math.rint(number) && Math.abs(number) < 1e15) return String.valueOf((long) number);
        }
        // A character is passed to a method that takes a number as that, too.
        if (one instanceof Character) return String.valueOf((int) (Character) one);
        if (one == null || one instanceof Number || one instanceof CharSequence || one instanceof Boolean
            || one instanceof Enum) {
            return String.valueOf(one);
        }
        if (one.getClass().isArray()) {
            Object[] elements = new Object[Array.getLength(one)];
            for (int at = 0; at < elements.length; at++) elements[at] = Array.get(one, at);
            return written(elements);
        }
        // A function has no name that two texts share.
        if (one.getClass().isHidden() || one.getClass().isSynthetic() || one.getClass().isAnonymousClass()) return "";
        String made = MADE.get(one);
        return one.getClass().getSimpleName() + (made == null ? "" : "(" + made + ")");
    }

    public static int whole(int environment, String name, Object... given) {
        return chosen(environment, name, given, 14) - 3;
    }

    public static double real(int environment, String name, Object... given) {
        return chosen(environment, name, given, 40) / 4.0 - 2;
    }

    public static boolean truth(int environment, String name, Object... given) {
        return chosen(environment, name, given, 2) == 0;
    }

    public static String text(int environment, String name, Object... given) {
        return TEXTS[chosen(environment, name, given, TEXTS.length)];
    }

    public static char letter(int environment, String name, Object... given) {
        return "abcA 19z".charAt(chosen(environment, name, given, 8));
    }

    public static int[] wholes(int environment, String name, Object... given) {
        int[] found = new int[chosen(environment, name, given, 5)];
        for (int at = 0; at < found.length; at++) found[at] = chosen(environment, name + at, given, 12) - 2;
        return found;
    }

    public static List<Integer> list(int environment, String name, Object... given) {
        List<Integer> found = new ArrayList<>();
        for (int one : wholes(environment, name, given)) found.add(one);
        return found;
    }

    public static List<String> texts(int environment, String name, Object... given) {
        List<String> found = new ArrayList<>();
        for (int one : wholes(environment, name, given)) found.add(TEXTS[Math.floorMod(one, TEXTS.length)]);
        return found;
    }

    public static <K, V> Map<K, V> map() {
        return new HashMap<>();
    }

    /** A call that returns nothing is an effect: it is seen as output. */
    public static void effect(String name, Object... given) {
        System.out.println(name + "(" + written(given) + ")");
    }
}
