import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs methods of compiled fragments on inputs given as JSON. Each line of standard input is one request:
 * {"class": ..., "entry": ..., "arity": ..., "inputs": [[...], ...]}; each line of standard output is its answer:
 * {"functions": how many methods the fragment declares, "results": [...]}. A result that was thrown instead of
 * returned is {"raises": true}.
 */
public final class EmbeddedHarness {
    public static void main(String[] args) throws Exception {
        PrintStream answers = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        // fragments that print must not disturb the answers
        System.setOut(System.err);
        BufferedReader requests = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = requests.readLine(); line != null; line = requests.readLine()) {
            answers.println(write(answer((Map<?, ?>) new Json(line).read())));
        }
    }

    private static Map<String, Object> answer(Map<?, ?> request) throws Exception {
        Class<?> fragment = Class.forName((String) request.get("class"));
        long arity = (Long) request.get("arity");
        Method entry = null;
        long functions = 0;
        for (Method method : fragment.getDeclaredMethods()) {
            if (method.isSynthetic()) continue; // bodies of lambdas
            functions++;
            if (method.getName().equals(request.get("entry")) && method.getParameterCount() == arity) entry = method;
        }
        if (entry == null) throw new IllegalStateException("no entry point in " + fragment.getName());
        entry.setAccessible(true);
        Object receiver = fragment.getDeclaredConstructor().newInstance();
        List<Object> results = new ArrayList<>();
        for (Object input : (List<?>) request.get("inputs")) {
            Object[] arguments = ((List<?>) input).toArray();
            Type[] types = entry.getGenericParameterTypes();
            for (int i = 0; i < arguments.length; i++) arguments[i] = adapt(arguments[i], types[i]);
            try {
                results.add(entry.invoke(receiver, arguments));
            } catch (InvocationTargetException thrown) {
                results.add(Map.of("raises", true));
            }
        }
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("functions", functions);
        answer.put("results", results);
        return answer;
    }

    /** A fresh Java value of the wanted type for a JSON value: fragments may change what they are given. */
    private static Object adapt(Object value, Type type) {
        if (type == int.class || type == Integer.class) return Math.toIntExact((Long) value);
        if (type == long.class || type == Long.class || type == boolean.class || type == String.class) return value;
        List<?> items = (List<?>) value;
        if (type == int[].class) return items.stream().mapToInt(item -> Math.toIntExact((Long) item)).toArray();
        if (type == int[][].class) return items.stream().map(item -> adapt(item, int[].class)).toArray(int[][]::new);
        if (type instanceof ParameterizedType list && list.getRawType() == List.class) {
            List<Object> adapted = new ArrayList<>();
            for (Object item : items) adapted.add(adapt(item, list.getActualTypeArguments()[0]));
            return adapted;
        }
        throw new IllegalArgumentException("no way to make a " + type);
    }

    private static String write(Object value) {
        if (value instanceof int[] array) {
            List<Object> items = new ArrayList<>();
            for (int item : array) items.add(item);
            return write(items);
        }
        if (value instanceof Object[] array) return write(List.of(array));
        if (value instanceof List<?> items) {
            List<String> parts = new ArrayList<>();
            for (Object item : items) parts.add(write(item));
            return "[" + String.join(",", parts) + "]";
        }
        if (value instanceof Map<?, ?> map) {
            List<String> parts = new ArrayList<>();
            map.forEach((key, item) -> parts.add(write(key) + ":" + write(item)));
            return "{" + String.join(",", parts) + "}";
        }
        if (value instanceof String text) {
            StringBuilder quoted = new StringBuilder("\"");
            for (char c : text.toCharArray()) {
                if (c == '"' || c == '\\' || c < ' ' || c > '~') quoted.append(String.format("\\u%04x", (int) c));
                else quoted.append(c);
            }
            return quoted.append('"').toString();
        }
        if (value == null || value instanceof Integer || value instanceof Long || value instanceof Boolean) {
            return String.valueOf(value);
        }
        throw new IllegalArgumentException("no way to write a " + value.getClass());
    }

    /** Reads the JSON that the tests send: no fractions, no exponents. */
    private static final class Json {
        private final String text;
        private int at;

        Json(String text) {
            this.text = text;
        }

        Object read() throws IOException {
            skip();
            char c = text.charAt(at);
            if (c == '[') {
                List<Object> items = new ArrayList<>();
                at++;
                while (more(']')) items.add(read());
                return items;
            }
            if (c == '{') {
                Map<String, Object> map = new LinkedHashMap<>();
                at++;
                while (more('}')) {
                    String key = string();
                    skip();
                    at++; // the colon
                    map.put(key, read());
                }
                return map;
            }
            if (c == '"') return string();
            int start = at;
            while (at < text.length() && ",]} ".indexOf(text.charAt(at)) < 0) at++;
            String word = text.substring(start, at);
            if (word.equals("true") || word.equals("false")) return Boolean.valueOf(word);
            return word.equals("null") ? null : (Object) Long.valueOf(word);
        }

        private boolean more(char end) {
            skip();
            if (text.charAt(at) == ',') at++;
            skip();
            if (text.charAt(at) != end) return true;
            at++;
            return false;
        }

        private void skip() {
            while (text.charAt(at) == ' ') at++;
        }

        private String string() throws IOException {
            StringBuilder out = new StringBuilder();
            for (at++; text.charAt(at) != '"'; at++) {
                char c = text.charAt(at);
                if (c == '\\') {
                    c = text.charAt(++at);
                    int simple = "\"\\/bfnrt".indexOf(c);
                    if (simple >= 0) {
                        c = "\"\\/\b\f\n\r\t".charAt(simple);
                    } else if (c == 'u') {
                        c = (char) Integer.parseInt(text.substring(at + 1, at + 5), 16);
                        at += 4;
                    } else {
                        throw new IOException("bad escape in " + text);
                    }
                }
                out.append(c);
            }
            at++;
            return out.toString();
        }
    }
}
