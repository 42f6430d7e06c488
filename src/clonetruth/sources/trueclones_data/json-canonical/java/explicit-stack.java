public String convert(String input) {
    Deque<Object> open = new ArrayDeque<>();      // lists and maps that are not closed yet
    Deque<String> keys = new ArrayDeque<>();
    String result = null;
    char expected = 'v';                          // v value, e value or end, k key, f key or end, : colon, , comma or end
    int i = 0;
    while (i < input.length()) {
        char c = input.charAt(i);
        if (c == ' ') {
            i++;
            continue;
        }
        int next = i + 1;
        String done = null;
        if (c == '[' || c == '{') {
            if (expected != 'v' && expected != 'e') return "error";
            open.push(c == '[' ? new ArrayList<String>() : new TreeMap<String, String>());
            expected = c == '[' ? 'e' : 'f';
        } else if (c == ',') {
            if (expected != ',' || open.isEmpty()) return "error";
            expected = open.peek() instanceof List ? 'v' : 'k';
        } else if (c == ':') {
            if (expected != ':') return "error";
            expected = 'v';
        } else if (c == ']' || c == '}') {
            boolean list = !open.isEmpty() && open.peek() instanceof List;
            if (open.isEmpty() || list != (c == ']') || expected != ',' && expected != (list ? 'e' : 'f')) return "error";
            done = close(open.pop());
            expected = 'v';
        } else if (c == '"') {
            int end = input.indexOf('"', next);
            if (end < 0) return "error";
            next = end + 1;
            if (expected == 'k' || expected == 'f') {
                keys.push(input.substring(i + 1, end));
                expected = ':';
            } else {
                done = input.substring(i, next);
            }
        } else {
            while (next < input.length() && Character.isLetterOrDigit(input.charAt(next))) next++;
            done = input.substring(i, next);
            if (!done.matches("true|false|null|0|[1-9]\\d*")) return "error";
        }
        i = next;
        if (done == null) continue;
        if (expected != 'v' && expected != 'e') return "error";
        expected = ',';
        if (open.isEmpty()) {
            result = done;
        } else {
            store(open.peek(), keys, done);
        }
    }
    return result != null && open.isEmpty() ? result : "error";
}

@SuppressWarnings("unchecked")
private void store(Object container, Deque<String> keys, String value) {
    if (container instanceof List) ((List<String>) container).add(value);
    else ((Map<String, String>) container).put(keys.pop(), value);
}

private String close(Object container) {
    if (container instanceof List) return joined((List<?>) container);
    StringBuilder out = new StringBuilder();
    ((Map<?, ?>) container).forEach((key, value) -> out.append(",\"").append(key).append("\":").append(value));
    return "{" + (out.length() == 0 ? "" : out.substring(1)) + "}";
}

private String joined(List<?> items) {
    return items.stream().map(Object::toString).collect(Collectors.joining(",", "[", "]"));
}
