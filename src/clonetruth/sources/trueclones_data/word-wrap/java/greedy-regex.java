List<String> lines(String text, int width) {
    String clean = text.strip().replaceAll("\\s+", " ");
    // as much as fits up to a space or the end, or else a single long word
    Pattern line = Pattern.compile("(?:(.{1," + width + "})|(\\S+))(?: |$)");
    List<String> found = new ArrayList<>();
    Matcher m = line.matcher(clean);
    while (m.find()) {
        found.add(m.group(1) != null ? m.group(1) : m.group(2));
    }
    return found;
}
