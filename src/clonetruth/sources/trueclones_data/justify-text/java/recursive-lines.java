List<String> wrap(String text, int width) {
    List<String> lines = new LinkedList<>();
    next(text.trim().replaceAll(" +", " "), width, lines);
    return lines;
}

private void next(String rest, int width, List<String> lines) {
    if (rest.isEmpty()) return;
    if (rest.length() <= width) {
        lines.add(rest);
        return;
    }
    int cut = rest.lastIndexOf(' ', width);
    if (cut < 0) cut = rest.indexOf(' ');
    if (cut < 0) cut = rest.length();
    lines.add(cut == rest.length() ? rest : widen(rest.substring(0, cut), width));
    next(rest.substring(cut).trim(), width, lines);
}

private String widen(String line, int width) {
    int at = -1;
    while (line.contains(" ") && line.length() < width) {
        at = line.indexOf(' ', at + 1);
        if (at < 0) continue;
        line = line.substring(0, at) + " " + line.substring(at);
        while (line.charAt(at) == ' ') at++;
    }
    return line;
}
