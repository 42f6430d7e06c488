public String heading(String text) {
    String capital = Pattern.compile("(?<![^ -])[a-z]").matcher(text.toLowerCase())
            .replaceAll(m -> m.group().toUpperCase());
    String small = Pattern.compile("(?<![^ -])(?:A|An|And|Of|Or|The|To)(?![^ -])").matcher(capital)
            .replaceAll(m -> m.group().toLowerCase());
    Matcher ends = Pattern.compile("^[ -]*([a-z])|(?<![^ -])([a-z])[a-z']*[ -]*$").matcher(small);
    return ends.replaceAll(m -> {
        int at = (m.group(1) != null ? m.start(1) : m.start(2)) - m.start();
        String part = m.group();
        return part.substring(0, at) + part.substring(at, at + 1).toUpperCase() + part.substring(at + 1);
    });
}
