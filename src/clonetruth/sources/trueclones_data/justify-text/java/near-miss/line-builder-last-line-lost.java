static List<String> justify(String text, int width) {
    List<String> lines = new ArrayList<>();
    List<String> line = new ArrayList<>();
    int letters = 0;
    for (String word : text.split(" +")) {
        if (word.isEmpty()) continue;
        if (!line.isEmpty() && letters + line.size() + word.length() > width) {
            lines.add(padded(line, width - letters));
            line.clear();
            letters = 0;
        }
        line.add(word);
        letters += word.length();
    }
    if (line.size() > 1) lines.add(String.join(" ", line));
    return lines;
}

private static String padded(List<String> words, int spaces) {
    StringBuilder out = new StringBuilder(words.get(0));
    for (int i = 1; i < words.size(); i++) {
        int gaps = words.size() - i;
        int now = (spaces + gaps - 1) / gaps;
        out.append(" ".repeat(now)).append(words.get(i));
        spaces -= now;
    }
    return out.toString();
}
