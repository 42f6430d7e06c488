static String jsonString(String text) {
    Map<Integer, String> fixed = Map.of(34, "\\\"", 92, "\\\\", 8, "\\b", 12, "\\f", 10, "\\n", 13, "\\r", 9, "\\t");
    return text.chars()
            .mapToObj(unit -> fixed.containsKey(unit) ? fixed.get(unit)
                    : unit >= 32 && unit <= 126 ? Character.toString(unit)
                    : "\\u" + hex(unit))
            .collect(Collectors.joining("", "\"", "\""));
}

private static String hex(int unit) {
    String digits = Integer.toString(unit, 16);
    return "0000".substring(Math.max(digits.length(), 2)) + digits;
}
