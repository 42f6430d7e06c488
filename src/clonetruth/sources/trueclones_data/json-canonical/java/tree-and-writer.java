String normalise(String text) {
    Deque<String> tokens = new ArrayDeque<>();
    Matcher m = Pattern.compile(" +|\"[^\"]*\"|[a-z0-9]+|[\\[\\]{},:]").matcher(text);
    int end = 0;
    while (m.find() && m.start() == end) {
        end = m.end();
        if (!m.group().isBlank()) tokens.add(m.group());
    }
    if (end < text.length()) return "error";
    try {
        Object tree = read(tokens);
        return tokens.isEmpty() ? write(tree) : "error";
    } catch (IllegalArgumentException | NoSuchElementException problem) {
        return "error";
    }
}

private Object read(Deque<String> tokens) {
    String token = tokens.remove();
    if (token.equals("[")) {
        List<Object> list = new ArrayList<>();
        if ("]".equals(tokens.peek())) {
            tokens.remove();
            return list;
        }
        String separator;
        do {
            list.add(read(tokens));
            separator = tokens.remove();
        } while (separator.equals(","));
        require(separator.equals("]"));
        return list;
    }
    if (token.equals("{")) {
        Map<String, Object> map = new HashMap<>();
        if ("}".equals(tokens.peek())) {
            tokens.remove();
            return map;
        }
        String separator;
        do {
            String key = tokens.remove();
            require(key.startsWith("\"") && tokens.remove().equals(":"));
            map.put(key, read(tokens));
            separator = tokens.remove();
        } while (separator.equals(","));
        require(separator.equals("}"));
        return map;
    }
    require(token.matches("\".*\"|true|false|null|0|[1-9][0-9]*"));
    return token;
}

private void require(boolean condition) {
    if (!condition) throw new IllegalArgumentException();
}

private String write(Object node) {
    if (node instanceof List) {
        return ((List<?>) node).stream().map(this::write).collect(Collectors.joining(",", "[", "]"));
    }
    if (node instanceof Map) {
        return ((Map<?, ?>) node).entrySet().stream()
                .sorted(Comparator.comparing(e -> e.getKey().toString().replace("\"", "")))
                .map(e -> e.getKey() + ":" + write(e.getValue()))
                .collect(Collectors.joining(",", "{", "}"));
    }
    return node.toString();
}
