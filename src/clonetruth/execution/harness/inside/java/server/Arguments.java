package server;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.Reader;
import java.io.StringReader;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.*;
import java.util.function.*;
import java.util.stream.*;

/** Values of Java, of a wanted type, from the form that all languages share. */
final class Arguments {
    private static final int MAX_DEPTH = 60;
    private static final int MAX_GIVEN = 4;
    private static final Map<Class<?>, Integer> WIDTHS = Map.of(int.class, 32, Integer.class, 32, long.class, 64,
        Long.class, 64, short.class, 16, Short.class, 16, byte.class, 8, Byte.class, 8);

    private final FragmentLoader loader;
    private final Map<String, Object> named = new HashMap<>();
    private String naming;
    private int depth;

    Arguments(FragmentLoader loader) {
        this.loader = loader;
    }

    Object make(Object form, Type type) throws ReflectiveOperationException {
        if (++depth > MAX_DEPTH) throw new ClassCastException("too deep");
        try {
            return made(form, type);
        } finally {
            depth--;
        }
    }

    private Object made(Object form, Type type) throws ReflectiveOperationException {
        if (type instanceof GenericArrayType) return array(form, ((GenericArrayType) type).getGenericComponentType());
        Class<?> wanted = erased(type);
        if (wanted.isArray()) return array(form, wanted.getComponentType());
        if (form == null) {
            if (wanted.isPrimitive()) throw new ClassCastException("null is not a " + wanted);
            return null;
        }
        String kind = form instanceof Map ? (String) ((Map<?, ?>) form).keySet().iterator().next() : "";
        Object content = form instanceof Map ? ((Map<?, ?>) form).get(kind) : form;
        if (kind.equals("named")) {
            naming = (String) ((List<?>) content).get(0);
            return make(((List<?>) content).get(1), type);
        }
        if (kind.equals("same")) return known((String) content, wanted);
        Object number = number(kind, content, wanted);
        if (number != null) return number;
        if (wanted == boolean.class || wanted == Boolean.class) return (Boolean) content;
        // The content of a number is written as a text, too, and is not one.
        boolean isText = content instanceof String && (kind.isEmpty() || kind.equals("char"));
        if (isText && (wanted == String.class || wanted == CharSequence.class)) return content;
        if (isText && wanted == StringBuilder.class) return new StringBuilder((String) content);
        if (isText && wanted == StringBuffer.class) return new StringBuffer((String) content);
        if (wanted.isEnum()) return constant(content, wanted);
        if (wanted == Comparator.class) return (Boolean) content ? Comparator.naturalOrder() : Comparator.reverseOrder();
        boolean isWhole = kind.equals("int");
        if (isWhole && wanted == Random.class) return new Random(new BigInteger((String) content).longValue());
        if (isText && wanted == Scanner.class) return new Scanner((String) content);
        if (isText && wanted.getName().startsWith("java.io.")) return reader((String) content, wanted);
        if (isWhole && wanted == Date.class) return new Date(new BigInteger((String) content).longValue() * 60_000);
        if (content instanceof String && wanted.getName().startsWith("java.time.")) return moment(kind, (String) content, wanted);
        if (content instanceof Boolean && wanted.isInterface() && wanted.getName().startsWith("java.util.function.")) {
            return function((Boolean) content, wanted);
        }
        if (kind.equals("object")) return object((List<?>) content, wanted, type);
        if (content instanceof List) return collection(kind, (List<?>) content, wanted, type);
        if (wanted == Optional.class) return Optional.of(make(form, argument(type, 0)));
        if (wanted.isInstance(natural(kind, content))) return natural(kind, content);
        throw new ClassCastException("no " + wanted.getSimpleName() + " of " + kind);
    }

    /** An object that occurs again. */
    private Object known(String name, Class<?> wanted) {
        Object found = named.get(name);
        if (!wanted.isInstance(found)) throw new ClassCastException("no object " + name);
        return found;
    }

    private static Object reader(String text, Class<?> wanted) {
        if (wanted == InputStream.class) return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
        if (wanted == Reader.class || wanted == StringReader.class) return new StringReader(text);
        if (wanted == BufferedReader.class) return new BufferedReader(new StringReader(text));
        throw new ClassCastException("no " + wanted.getSimpleName() + " of a text");
    }

    static Class<?> erased(Type type) {
        if (type instanceof Class) return (Class<?>) type;
        if (type instanceof ParameterizedType) return erased(((ParameterizedType) type).getRawType());
        if (type instanceof WildcardType) return erased(((WildcardType) type).getUpperBounds()[0]);
        if (type instanceof TypeVariable) return erased(((TypeVariable<?>) type).getBounds()[0]);
        return Object.class;
    }

    private static Type argument(Type type, int at) {
        if (!(type instanceof ParameterizedType)) return Object.class;
        Type[] given = ((ParameterizedType) type).getActualTypeArguments();
        return at < given.length ? given[at] : Object.class;
    }

    private static Object number(String kind, Object content, Class<?> wanted) {
        boolean whole = kind.equals("int");
        if (whole) {
            BigInteger value = new BigInteger((String) content);
            if (WIDTHS.containsKey(wanted) && value.bitLength() >= WIDTHS.get(wanted)) {
                throw new ClassCastException("too large for " + wanted);
            }
            if (wanted == int.class || wanted == Integer.class) return value.intValueExact();
            if (wanted == long.class || wanted == Long.class) return value.longValueExact();
            if (wanted == short.class || wanted == Short.class) return value.shortValueExact();
            if (wanted == byte.class || wanted == Byte.class) return value.byteValueExact();
            if (wanted == BigInteger.class) return value;
        }
        if (whole || kind.equals("float") || kind.equals("decimal")) {
            if (wanted == double.class || wanted == Double.class) return real(kind, content);
            if (wanted == float.class || wanted == Float.class) return (float) real(kind, content);
            if (wanted == BigDecimal.class) {
                return kind.equals("float") ? BigDecimal.valueOf(real(kind, content)) : new BigDecimal((String) content);
            }
        }
        boolean letter = content instanceof String && (kind.equals("char") || kind.isEmpty());
        if (letter && (wanted == char.class || wanted == Character.class)) {
            String text = (String) content;
            if (text.length() != 1) throw new ClassCastException("not one character");
            return text.charAt(0);
        }
        if (whole && (wanted == char.class || wanted == Character.class)) {
            return (char) new BigInteger((String) content).shortValue();
        }
        return null;
    }

    private static double real(String kind, Object content) {
        String text = (String) content;
        if (!kind.equals("float")) return Double.parseDouble(text);
        switch (text) {
            case "nan":
                return Double.NaN;
            case "inf":
                return Double.POSITIVE_INFINITY;
            case "-inf":
                return Double.NEGATIVE_INFINITY;
            default:
                return Double.parseDouble(text);
        }
    }

    /** What a form is where any object is welcome. */
    private Object natural(String kind, Object content) throws ReflectiveOperationException {
        switch (kind) {
            case "int": {
                BigInteger value = new BigInteger((String) content);
                if (value.bitLength() < 32) return value.intValue();
                return value.bitLength() < 64 ? (Object) value.longValue() : (Object) value;
            }
            case "float":
                return real(kind, content);
            case "decimal":
                return new BigDecimal((String) content);
            case "char":
                return ((String) content).charAt(0);
            case "list":
            case "tuple":
            case "iterator":
                return collection(kind, (List<?>) content, ArrayList.class, ArrayList.class);
            case "set":
                return collection(kind, (List<?>) content, HashSet.class, HashSet.class);
            case "map":
                return collection(kind, (List<?>) content, HashMap.class, HashMap.class);
            default:
                return content;
        }
    }

    /** A constant by its name. */
    private Object constant(Object content, Class<?> wanted) {
        for (Object one : content instanceof List ? wanted.getEnumConstants() : new Object[0]) {
            if (((Enum<?>) one).name().equals(((List<?>) content).get(1))) return one;
        }
        throw new ClassCastException("no constant of " + wanted.getSimpleName());
    }

    private static Object moment(String kind, String text, Class<?> wanted) {
        if (kind.equals("date") && wanted == LocalDate.class) return LocalDate.parse(text);
        if (kind.equals("time") && wanted == LocalTime.class) return LocalTime.parse(text);
        if (kind.equals("datetime") && wanted == LocalDateTime.class) return LocalDateTime.parse(text);
        if (kind.equals("duration") && wanted == Duration.class) {
            return Duration.ofNanos(new BigDecimal(text).movePointRight(9).longValueExact());
        }
        throw new ClassCastException("no " + wanted.getSimpleName() + " of " + kind);
    }

    private Object array(Object form, Type inner) throws ReflectiveOperationException {
        if (form == null) return null;
        Class<?> element = erased(inner);
        List<?> values;
        if (form instanceof String && element == char.class) return ((String) form).toCharArray();
        if (form instanceof Map && ((Map<?, ?>) form).containsKey("bytes")) {
            String digits = (String) ((Map<?, ?>) form).get("bytes");
            byte[] found = new byte[digits.length() / 2];
            for (int at = 0; at < found.length; at++) {
                found[at] = (byte) Integer.parseInt(digits.substring(2 * at, 2 * at + 2), 16);
            }
            return found;
        }
        Object content = form instanceof Map ? ((Map<?, ?>) form).values().iterator().next() : null;
        if (!(content instanceof List)) throw new ClassCastException("not a list");
        values = (List<?>) content;
        Object found = Array.newInstance(element, values.size());
        for (int at = 0; at < values.size(); at++) Array.set(found, at, make(values.get(at), inner));
        return found;
    }

    private Object collection(String kind, List<?> forms, Class<?> wanted, Type type) throws ReflectiveOperationException {
        if (kind.equals("map")) {
            Map<Object, Object> entries = map(wanted);
            for (Object one : forms) {
                List<?> entry = (List<?>) one;
                entries.put(make(entry.get(0), argument(type, 0)), make(entry.get(1), argument(type, 1)));
            }
            return entries;
        }
        if (Map.Entry.class.isAssignableFrom(wanted) && forms.size() == 2) {
            return new AbstractMap.SimpleEntry<>(make(forms.get(0), argument(type, 0)), make(forms.get(1), argument(type, 1)));
        }
        Type inner = wanted == IntStream.class ? int.class : argument(type, 0);
        List<Object> values = new ArrayList<>();
        for (Object one : forms) values.add(make(one, inner));
        if (wanted.isAssignableFrom(ArrayList.class)) return values;
        if (wanted == Iterator.class) return values.iterator();
        if (wanted == ListIterator.class) return values.listIterator();
        if (wanted == Enumeration.class) return Collections.enumeration(values);
        if (wanted == Stream.class) return values.stream();
        if (wanted == IntStream.class) return values.stream().mapToInt(one -> (Integer) one);
        Class<?>[] known = {LinkedList.class, ArrayDeque.class, Stack.class, Vector.class, HashSet.class, LinkedHashSet.class,
            TreeSet.class, PriorityQueue.class};
        for (Class<?> one : known) {
            if (wanted.isAssignableFrom(one)) {
                @SuppressWarnings("unchecked")
                Collection<Object> found = (Collection<Object>) one.getConstructor().newInstance();
                found.addAll(values);
                return found;
            }
        }
        if (wanted.isInstance(natural(kind.equals("tuple") ? "list" : kind, forms))) return natural(kind, forms);
        throw new ClassCastException("no " + wanted.getSimpleName() + " of values");
    }

    private static Map<Object, Object> map(Class<?> wanted) {
        if (wanted.isAssignableFrom(HashMap.class)) return new HashMap<>();
        if (wanted.isAssignableFrom(TreeMap.class)) return new TreeMap<>();
        if (wanted.isAssignableFrom(LinkedHashMap.class)) return new LinkedHashMap<>();
        if (wanted == Hashtable.class) return new Hashtable<>();
        throw new ClassCastException("no " + wanted.getSimpleName());
    }

    /** One of two simple functions; a truth value chooses. */
    private static Object function(boolean first, Class<?> wanted) {
        if (wanted == Function.class) return (Function<Object, Object>) one -> first ? one : String.valueOf(one);
        if (wanted == UnaryOperator.class) return (UnaryOperator<Object>) one -> one;
        if (wanted == BinaryOperator.class) return (BinaryOperator<Object>) (one, other) -> first ? one : other;
        if (wanted == BiFunction.class) return (BiFunction<Object, Object, Object>) (one, other) -> first ? one : other;
        if (wanted == Predicate.class) return (Predicate<Object>) one -> (String.valueOf(one).hashCode() % 2 == 0) == first;
        if (wanted == IntPredicate.class) return (IntPredicate) one -> (one % 2 == 0) == first;
        if (wanted == IntUnaryOperator.class) return (IntUnaryOperator) one -> first ? one + 1 : -one;
        if (wanted == IntBinaryOperator.class) return (IntBinaryOperator) (one, other) -> first ? one + other : one - other;
        if (wanted == Supplier.class) return (Supplier<Object>) () -> first ? 1 : 0;
        if (wanted == Consumer.class) return (Consumer<Object>) one -> System.out.println(one);
        throw new ClassCastException("no " + wanted.getSimpleName());
    }

    /** The fragment's class of a name; an object of a class that it does not have is not what it takes. */
    private Class<?> classOf(String name, Class<?> wanted) {
        try {
            Class<?> found = loader.loadClass(loader instanceof FragmentLoader ? ((FragmentLoader) loader).nameOf(name) : name);
            if (wanted.isAssignableFrom(found)) return found;
        } catch (ClassNotFoundException error) {
            // As if it did not fit.
        }
        throw new ClassCastException("no " + wanted.getSimpleName() + " of " + name);
    }

    private Object object(List<?> content, Class<?> wanted, Type type) throws ReflectiveOperationException {
        String name = naming;
        naming = null;
        Map<String, Object> forms = new LinkedHashMap<>();
        for (Object one : (List<?>) content.get(1)) forms.put((String) ((List<?>) one).get(0), ((List<?>) one).get(1));
        Class<?> made = wanted;
        boolean isOpen = wanted.isInterface() || Modifier.isAbstract(wanted.getModifiers());
        if (isOpen || !(wanted.getClassLoader() instanceof FragmentLoader)) made = classOf((String) content.get(0), wanted);
        if (made.isRecord()) {
            RecordComponent[] parts = made.getRecordComponents();
            Class<?>[] types = new Class<?>[parts.length];
            Object[] values = new Object[parts.length];
            for (int at = 0; at < parts.length; at++) {
                types[at] = parts[at].getType();
                values[at] = make(forms.get(parts[at].getName()), parts[at].getGenericType());
            }
            Constructor<?> canonical = made.getDeclaredConstructor(types);
            canonical.setAccessible(true);
            Object found = canonical.newInstance(values);
            if (name != null) named.put(name, found);
            return found;
        }
        Set<String> unknown = new HashSet<>(forms.keySet());
        for (Class<?> one = made; one.getClassLoader() instanceof FragmentLoader; one = one.getSuperclass()) {
            for (Field field : one.getDeclaredFields()) unknown.remove(field.getName());
        }
        // An object with other fields is one of another class.
        if (!unknown.isEmpty()) throw new ClassCastException("no field " + unknown);
        Object found = created(made, null);
        // Before its fields are filled: they may link back to it.
        if (name != null) named.put(name, found);
        for (Class<?> one = made; one.getClassLoader() instanceof FragmentLoader; one = one.getSuperclass()) {
            for (Field field : one.getDeclaredFields()) {
                if (!forms.containsKey(field.getName()) || Modifier.isStatic(field.getModifiers())) continue;
                field.setAccessible(true);
                Type inner = field.getGenericType();
                if (inner instanceof TypeVariable && type instanceof ParameterizedType) inner = argument(type, 0);
                Object form = forms.get(field.getName());
                if (form == null && field.getType().isPrimitive()) continue;
                field.set(found, make(form, inner));
            }
        }
        return found;
    }

    /** An object of a class, by the constructor that takes these values. */
    Object constructed(Class<?> made, List<?> forms) throws ReflectiveOperationException {
        ClassCastException last = new ClassCastException("no constructor of " + forms.size() + " arguments");
        for (Constructor<?> one : made.getDeclaredConstructors()) {
            if (one.getParameterCount() != forms.size()) continue;
            try {
                Object[] values = all(forms, one.getGenericParameterTypes());
                one.setAccessible(true);
                return one.newInstance(values);
            } catch (ClassCastException error) {
                last = error;
            }
        }
        throw last;
    }

    /** What a method of an object returns, given by its name and arguments, or what a field of it is, by its name. */
    Object shown(Object receiver, List<?> call) throws ReflectiveOperationException {
        for (Class<?> one = receiver.getClass(); one.getClassLoader() instanceof FragmentLoader; one = one.getSuperclass()) {
            if (call.size() == 1) {
                for (Field field : one.getDeclaredFields()) {
                    if (!field.getName().equals(call.get(0))) continue;
                    field.setAccessible(true);
                    return field.get(receiver);
                }
                continue;
            }
            List<?> forms = (List<?>) call.get(1);
            for (java.lang.reflect.Method method : one.getDeclaredMethods()) {
                if (!method.getName().equals(call.get(0)) || method.getParameterCount() != forms.size() || method.isSynthetic()) continue;
                method.setAccessible(true);
                return method.invoke(receiver, all(forms, method.getGenericParameterTypes()));
            }
        }
        throw new ClassCastException("no method " + call.get(0));
    }

    private Object[] all(List<?> forms, Type[] types) throws ReflectiveOperationException {
        Object[] values = new Object[types.length];
        for (int at = 0; at < types.length; at++) values[at] = make(forms.get(at), types[at]);
        return values;
    }

    /** An object of a class: by the constructor with the fewest parameters that works, with plain values. */
    static Object created(Class<?> made, Object outer) throws ReflectiveOperationException {
        if (made.isInterface() || Modifier.isAbstract(made.getModifiers())) throw new InstantiationException(made.getSimpleName());
        Constructor<?>[] all = made.getDeclaredConstructors();
        ReflectiveOperationException last = new InstantiationException(made.getSimpleName());
        for (int count = 0; count <= MAX_GIVEN; count++) {
            for (Constructor<?> one : all) {
                if (one.getParameterCount() != count) continue;
                Class<?>[] types = one.getParameterTypes();
                Object[] values = new Object[count];
                for (int at = 0; at < count; at++) values[at] = plain(types[at], made);
                try {
                    one.setAccessible(true);
                    return one.newInstance(values);
                } catch (ReflectiveOperationException error) {
                    last = error;
                }
            }
        }
        throw last;
    }

    private static Object plain(Class<?> type, Class<?> made) throws ReflectiveOperationException {
        if (type == int.class || type == Integer.class) return 4;
        if (type == long.class || type == Long.class) return 4L;
        if (type == double.class || type == Double.class) return 4.0;
        if (type == float.class) return 4f;
        if (type == short.class) return (short) 4;
        if (type == byte.class) return (byte) 4;
        if (type == char.class || type == Character.class) return 'a';
        if (type == boolean.class || type == Boolean.class) return false;
        if (type == String.class) return "abc";
        if (type.isArray()) return Array.newInstance(type.getComponentType(), 0);
        if (type.isAssignableFrom(ArrayList.class) && type.isInterface()) return new ArrayList<>();
        if (type.isAssignableFrom(HashMap.class) && type.isInterface()) return new HashMap<>();
        // An inner class needs an object of the class around it.
        if (type == made.getDeclaringClass()) return created(type, null);
        return null;
    }
}
