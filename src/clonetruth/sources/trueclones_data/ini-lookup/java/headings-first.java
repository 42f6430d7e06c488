public String read(List<String> lines, String section, String key) {
    List<String> trimmed = lines.stream().map(String::trim).collect(Collectors.toList());
    // walks upwards from the last line that sets the key to the heading above it
    for (int i = trimmed.size() - 1; i >= 0; i--) {
        if (sets(trimmed.get(i), key) && section.equals(headingAbove(trimmed, i))) {
            String line = trimmed.get(i);
            return line.substring(line.indexOf('=') + 1).trim();
        }
    }
    return "(missing)";
}

private boolean sets(String line, String key) {
    return !isHeading(line) && line.contains("=") && line.substring(0, line.indexOf('=')).trim().equals(key);
}

private String headingAbove(List<String> lines, int from) {
    int i = from;
    while (i >= 0 && !isHeading(lines.get(i))) i--;
    return i < 0 ? null : lines.get(i).substring(1, lines.get(i).length() - 1).trim();
}

private boolean isHeading(String line) {
    return line.startsWith("[") && line.endsWith("]");
}
