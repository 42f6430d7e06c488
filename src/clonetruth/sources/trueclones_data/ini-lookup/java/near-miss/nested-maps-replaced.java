public static String get(List<String> lines, String section, String key) {
    Map<String, Map<String, String>> sections = new HashMap<>();
    Map<String, String> current = new HashMap<>();
    for (String raw : lines) {
        String line = raw.trim();
        if (line.isEmpty() || line.startsWith(";") || line.startsWith("#")) continue;
        if (line.startsWith("[") && line.endsWith("]")) {
            String name = line.substring(1, line.length() - 1).trim();
            current = new HashMap<>();
            sections.put(name, current);
            continue;
        }
        int equals = line.indexOf('=');
        if (equals < 0) continue;
        current.put(line.substring(0, equals).trim(), line.substring(equals + 1).trim());
    }
    return sections.getOrDefault(section, Map.of()).getOrDefault(key, "(missing)");
}
