static String compact(String text) {
    // finished values are kept in a list, and the text holds their numbers as single characters above all others
    List<String> values = new ArrayList<>();
    String rest = replace(text, "\"[^\"]*\"", values, m -> m);
    if (rest.contains("\"")) return "error";
    int strings = values.size();
    rest = replace(rest, "[a-z0-9]+", values, m -> m);
    for (String word : values.subList(strings, values.size())) {
        if (!word.matches("0|[1-9][0-9]*|true|false|null")) return "error";
    }
    rest = rest.replace(" ", "_").replaceAll("_*([\\[\\]{},:])_*", "$1").replaceAll("^_+|_+$", "");
    String mark = "[\\x{1000}-\\x{2000}]";
    String before;
    do {
        before = rest;
        rest = replace(rest, "\\[(?:" + mark + "(?:," + mark + ")*)?\\]", values, m -> m.chars()
                .mapToObj(c -> c < 0x1000 ? Character.toString(c) : values.get(c - 0x1000))
                .collect(Collectors.joining()));
        rest = replace(rest, "\\{(?:" + mark + ":" + mark + "(?:," + mark + ":" + mark + ")*)?\\}", values, m -> {
            TreeMap<String, String> members = new TreeMap<>();
            for (int i = 1; i + 2 < m.length(); i += 4) {
                String key = values.get(m.charAt(i) - 0x1000);
                members.put(key.startsWith("\"") ? key.substring(1, key.length() - 1) : key, values.get(m.charAt(i + 2) - 0x1000));
            }
            return members.entrySet().stream()
                    .map(e -> "\"" + e.getKey() + "\":" + e.getValue())
                    .collect(Collectors.joining(",", "{", "}"));
        });
    } while (!rest.equals(before));
    if (!rest.matches(mark)) return "error";
    String result = values.get(rest.charAt(0) - 0x1000);
    // a key that was no string left three quotes behind
    return values.stream().anyMatch(v -> v.contains("\"\"\":")) ? "error" : result;
}

private static String replace(String text, String pattern, List<String> values, UnaryOperator<String> made) {
    return Pattern.compile(pattern).matcher(text).replaceAll(m -> {
        values.add(made.apply(m.group()));
        return Character.toString(0x1000 + values.size() - 1);
    });
}
