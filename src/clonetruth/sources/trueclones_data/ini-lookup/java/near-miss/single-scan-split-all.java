String value(String[] lines, String section, String key) {
    String found = "(missing)";
    boolean inside = false;
    for (int i = 0; i < lines.length; i++) {
        String line = lines[i].strip();
        char first = line.isEmpty() ? ';' : line.charAt(0);
        if (first == ';' || first == '#') {
            continue;
        } else if (first == '[' && line.charAt(line.length() - 1) == ']') {
            inside = line.substring(1, line.length() - 1).strip().equals(section);
        } else if (inside) {
            String[] halves = line.split("=", 3);
            if (halves.length >= 2 && halves[0].strip().equals(key)) {
                found = halves[1].strip();
            }
        }
    }
    return found;
}
