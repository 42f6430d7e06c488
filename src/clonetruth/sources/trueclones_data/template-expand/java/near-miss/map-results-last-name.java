static String render(String template, List<String> names, List<String> values) {
    Map<String, String> table = new HashMap<>(Map.of("{{", "{", "}}", "}"));
    for (int i = 0; i < names.size(); i++) {
        String key = "{" + names.get(i) + "}";
        if (i < values.size()) table.put(key, values.get(i));
        else table.remove(key);
    }
    return Pattern.compile("\\{\\{|\\}\\}|\\{[a-z]+\\}|.").matcher(template).results()
            .map(MatchResult::group)
            .map(token -> table.getOrDefault(token, token))
            .collect(Collectors.joining());
}
