String[] flush(String[] lines) {
    // stripIndent also removes spaces at line ends, so a mark protects them
    String text = Arrays.stream(lines)
            .map(line -> line.isBlank() ? "" : line.stripTrailing() + "\t")
            .collect(Collectors.joining("\n"))
            .replaceAll("^\n+|\n+$", "");
    String stripped = text.lines().map(line -> line.replace("\t", "\u0001")).collect(Collectors.joining("\n")).stripIndent();
    return stripped.isEmpty() ? new String[0] : stripped.replace("\u0001", "").split("\n", -1);
}
