package server;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** JSON as maps, lists, strings, truth values, null and whole numbers. */
final class Json {
    private final String text;
    private int at;
    /** The next backslash, if it is not before `at`. */
    private int escape = -1;

    private Json(String text) {
        this.text = text;
    }

    static Object parse(String text) {
        return new Json(text).value();
    }

    private char skip() {
        while (text.charAt(at) <= ' ') at++;
        return text.charAt(at);
    }

    private Object value() {
        switch (skip()) {
            case '{': {
                Map<String, Object> found = new LinkedHashMap<>();
                at++;
                while (skip() != '}') {
                    if (text.charAt(at) == ',') {
                        at++;
                        skip();
                    }
                    String key = string();
                    skip();
                    at++;
                    found.put(key, value());
                }
                at++;
                return found;
            }
            case '[': {
                List<Object> found = new ArrayList<>();
                at++;
                while (skip() != ']') {
                    if (text.charAt(at) == ',') at++;
                    found.add(value());
                }
                at++;
                return found;
            }
            case '"':
                return string();
            case 't':
                at += 4;
                return true;
            case 'f':
                at += 5;
                return false;
            case 'n':
                at += 4;
                return null;
            default: {
                int start = at;
                while (at < text.length() && "+-0123456789.eE".indexOf(text.charAt(at)) >= 0) at++;
                String number = text.substring(start, at);
                return isWhole(number) ? (Object) Long.valueOf(number) : (Object) Double.valueOf(number);
            }
        }
    }

    /** Without a regular expression, which would cost each new process the start of what lambdas need. */
    private static boolean isWhole(String number) {
        int first = number.startsWith("-") ? 1 : 0;
        int digits = number.length() - first;
        for (int at = first; at < number.length(); at++) {
            if (number.charAt(at) < '0' || number.charAt(at) > '9') return false;
        }
        return digits >= 1 && digits <= 18;
    }

    private String string() {
        at++;
        int end = text.indexOf('"', at);
        if (escape < at) {
            escape = text.indexOf('\\', at);
            if (escape < 0) escape = text.length();
        }
        if (end < escape) {
            String plain = text.substring(at, end);
            at = end + 1;
            return plain;
        }
        StringBuilder found = new StringBuilder();
        for (char one = text.charAt(at); one != '"'; one = text.charAt(++at)) {
            if (one != '\\') {
                found.append(one);
                continue;
            }
            char escaped = text.charAt(++at);
            if (escaped == 'u') {
                found.append((char) Integer.parseInt(text.substring(at + 1, at + 5), 16));
                at += 4;
            } else {
                int place = "nrtbf".indexOf(escaped);
                found.append(place < 0 ? escaped : "\n\r\t\b\f".charAt(place));
            }
        }
        at++;
        return found.toString();
    }

    static String write(Object value) {
        StringBuilder out = new StringBuilder();
        write(value, out);
        return out.toString();
    }

    private static void write(Object value, StringBuilder out) {
        if (value instanceof String) {
            quote((String) value, out);
        } else if (value instanceof Map) {
            String separator = "{";
            for (Map.Entry<?, ?> entry : ((Map<?, ?>) value).entrySet()) {
                out.append(separator);
                quote((String) entry.getKey(), out);
                out.append(':');
                write(entry.getValue(), out);
                separator = ",";
            }
            out.append(separator.equals("{") ? "{}" : "}");
        } else if (value instanceof List) {
            String separator = "[";
            for (Object one : (List<?>) value) {
                out.append(separator);
                write(one, out);
                separator = ",";
            }
            out.append(separator.equals("[") ? "[]" : "]");
        } else {
            out.append(value);
        }
    }

    private static boolean isPlain(char one) {
        return one >= ' ' && one <= '~' && one != '"' && one != '\\';
    }

    /** Everything beyond ASCII is escaped, so that no half of a surrogate pair has to be encoded. */
    private static void quote(String text, StringBuilder out) {
        out.append('"');
        int plain = 0;
        while (plain < text.length() && isPlain(text.charAt(plain))) plain++;
        out.append(text, 0, plain);
        for (int at = plain; at < text.length(); at++) {
            char one = text.charAt(at);
            boolean half = Character.isSurrogate(one)
                && !(Character.isHighSurrogate(one) && at + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(at + 1)))
                && !(Character.isLowSurrogate(one) && at > 0 && Character.isHighSurrogate(text.charAt(at - 1)));
            if (half) {
                out.append("\\\\").append(String.format("u%04x", (int) one));
            } else if (one == '"' || one == '\\') {
                out.append('\\').append(one);
            } else if (one < ' ' || one > '~') {
                out.append("\\u");
                String digits = Integer.toHexString(one);
                out.append("0000", 0, 4 - digits.length()).append(digits);
            } else {
                out.append(one);
            }
        }
        out.append('"');
    }
}
