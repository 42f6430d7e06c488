package server;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Enumeration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.BaseStream;

/** Values of Java in the form that all languages share. */
final class Forms {
    private static final int MAX_ITEMS = 10_000;
    private static final int MAX_TEXT = 200_000;
    private static final int MAX_DEPTH = 22;
    private static final int MAX_FROM_ITERATOR = 1_000;

    private final List<Object> above = new ArrayList<>();
    private int left = MAX_ITEMS;

    /** The form of a value. */
    static Object of(Object value) {
        return new Forms().form(value);
    }

    static Map<String, Object> tagged(String kind, Object content) {
        Map<String, Object> found = new java.util.LinkedHashMap<>();
        found.put(kind, content);
        return found;
    }

    private Object form(Object value) {
        left--;
        if (value == null || value instanceof Boolean) return value;
        if (value instanceof CharSequence) return text(value.toString());
        if (value instanceof Character) return tagged("char", value.toString());
        if (value instanceof Integer || value instanceof Long || value instanceof Short || value instanceof Byte) {
            return tagged("int", value.toString());
        }
        if (value instanceof Double || value instanceof Float) return decimal(((Number) value).doubleValue());
        if (value instanceof BigInteger) {
            return ((BigInteger) value).bitLength() < 30_000 ? tagged("int", value.toString()) : tagged("cut", "int");
        }
        if (value instanceof BigDecimal) {
            BigDecimal number = (BigDecimal) value;
            boolean small = number.precision() < 9_000 && Math.abs((long) number.scale()) < 9_000;
            return small ? tagged("decimal", number.toString()) : tagged("cut", "decimal");
        }
        if (value instanceof Enum) return ((Enum<?>) value).name();
        for (int at = 0; at < above.size(); at++) {
            if (above.get(at) == value) return tagged("cycle", (long) (above.size() - at));
        }
        if (left < 0 || above.size() >= MAX_DEPTH) return tagged("cut", name(value));
        above.add(value);
        Object found = container(value);
        above.remove(above.size() - 1);
        return found;
    }

    private Object container(Object value) {
        if (value instanceof byte[]) {
            List<Object> found = new ArrayList<>();
            for (byte one : (byte[]) value) {
                if (left-- < 0) return tagged("cut", "list");
                found.add(tagged("int", String.valueOf(one)));
            }
            return tagged("list", found);
        }
        if (value.getClass().isArray()) {
            Object array = value;
            return tagged("list", drawn(new Iterator<Object>() {
                private int at;

                public boolean hasNext() {
                    return at < Array.getLength(array);
                }

                public Object next() {
                    return Array.get(array, at++);
                }
            }, MAX_ITEMS));
        }
        if (value instanceof Optional) return form(((Optional<?>) value).orElse(null));
        if (value instanceof OptionalInt) return ((OptionalInt) value).isPresent() ? form(((OptionalInt) value).getAsInt()) : null;
        if (value instanceof OptionalLong) return ((OptionalLong) value).isPresent() ? form(((OptionalLong) value).getAsLong()) : null;
        if (value instanceof OptionalDouble) {
            return ((OptionalDouble) value).isPresent() ? form(((OptionalDouble) value).getAsDouble()) : null;
        }
        if (value instanceof Set) return tagged("set", drawn(((Set<?>) value).iterator(), MAX_ITEMS));
        if (value instanceof Collection) return tagged("list", drawn(((Collection<?>) value).iterator(), MAX_ITEMS));
        if (value instanceof Map) {
            List<Object> entries = new ArrayList<>();
            for (Map.Entry<?, ?> entry : ((Map<?, ?>) value).entrySet()) {
                if (left < 0) return tagged("cut", "map");
                entries.add(Arrays.asList(form(entry.getKey()), form(entry.getValue())));
            }
            return tagged("map", entries);
        }
        if (value instanceof Map.Entry) {
            Map.Entry<?, ?> entry = (Map.Entry<?, ?>) value;
            return tagged("tuple", Arrays.asList(form(entry.getKey()), form(entry.getValue())));
        }
        if (value instanceof Iterator) return tagged("iterator", drawn((Iterator<?>) value, MAX_FROM_ITERATOR));
        if (value instanceof Enumeration) {
            return tagged("iterator", drawn(((Enumeration<?>) value).asIterator(), MAX_FROM_ITERATOR));
        }
        if (value instanceof BaseStream) {
            return tagged("iterator", drawn(((BaseStream<?, ?>) value).iterator(), MAX_FROM_ITERATOR));
        }
        if (value.getClass().getName().startsWith("java.time.")) return moment(value);
        if (value.getClass().getName().startsWith("java.util.concurrent.atomic.Atomic")) return atomic(value);
        return object(value);
    }

    /** A date or time as ISO 8601 writes it, within the years that all languages have; everything else as it is printed. */
    private static Object moment(Object value) {
        if (value instanceof LocalTime) return tagged("time", value.toString());
        if (value instanceof Duration) {
            Duration span = (Duration) value;
            BigDecimal part = BigDecimal.valueOf(span.getNano(), 9);
            return tagged("duration", BigDecimal.valueOf(span.getSeconds()).add(part).toPlainString());
        }
        String kind = value instanceof LocalDate ? "date" : value instanceof LocalDateTime ? "datetime" : "";
        String text = value.toString();
        return kind.isEmpty() || text.indexOf('-') != 4 || text.startsWith("0000") ? text : tagged(kind, text);
    }

    private Object atomic(Object value) {
        if (value instanceof Number) return form(value instanceof java.util.concurrent.atomic.AtomicInteger
            ? (Object) ((Number) value).intValue() : (Object) ((Number) value).longValue());
        return value.toString();
    }

    /** An object of a class of the fragment, by its fields. Those of the JDK say nothing by theirs. */
    private Object object(Object value) {
        boolean known = value.getClass().getClassLoader() instanceof FragmentLoader && !value.getClass().isSynthetic()
            && !value.getClass().isHidden();
        if (!known && !(value instanceof Throwable)) return tagged("opaque", name(value));
        List<Object> fields = new ArrayList<>();
        if (value instanceof Throwable) {
            fields.add(Arrays.asList("message", null));
        } else if (value instanceof Iterable && !declaresData(value)) {
            return tagged("iterator", drawn(((Iterable<?>) value).iterator(), MAX_FROM_ITERATOR));
        } else {
            for (Class<?> one = value.getClass(); one.getClassLoader() instanceof FragmentLoader; one = one.getSuperclass()) {
                for (Field field : one.getDeclaredFields()) {
                    if (Modifier.isStatic(field.getModifiers()) || field.isSynthetic()) continue;
                    if (left < 0) return tagged("cut", name(value));
                    try {
                        field.setAccessible(true);
                        fields.add(Arrays.asList(field.getName(), form(field.get(value))));
                    } catch (ReflectiveOperationException | RuntimeException error) {
                        fields.add(Arrays.asList(field.getName(), tagged("opaque", "field")));
                    }
                }
            }
        }
        // Without a lambda, as in RunServer.
        fields.sort(new Comparator<Object>() {
            @Override
            public int compare(Object one, Object other) {
                return ((List<?>) one).get(0).toString().compareTo(((List<?>) other).get(0).toString());
            }
        });
        return tagged("object", Arrays.asList(name(value), fields));
    }

    private static boolean declaresData(Object value) {
        // What an anonymous class takes from around it is none of its own.
        for (Field field : value.getClass().getDeclaredFields()) if (!field.isSynthetic()) return true;
        return false;
    }

    private static Object text(String value) {
        return value.length() > MAX_TEXT ? tagged("cut", "str") : value;
    }

    private static Object decimal(double value) {
        if (Double.isNaN(value)) return tagged("float", "nan");
        if (Double.isInfinite(value)) return tagged("float", value > 0 ? "inf" : "-inf");
        return tagged("float", Double.toHexString(value));
    }

    private static String name(Object value) {
        String found = value.getClass().getSimpleName();
        return found.length() > 100 ? found.substring(0, 100) : found;
    }

    private List<Object> drawn(Iterator<?> values, int limit) {
        List<Object> found = new ArrayList<>();
        while (values.hasNext()) {
            if (found.size() >= limit || left < 0) {
                found.add(tagged("cut", "values"));
                break;
            }
            found.add(form(values.next()));
        }
        return found;
    }
}
