public List<String> parseCsvLine(String line) {
    List<String> values = new ArrayList<>();
    StringBuilder value = new StringBuilder();
    boolean quoted = false;
    char previous = ',';
    for (char c : line.toCharArray()) {
        if (c == '"') {
            // the second of two quotes re-opens the field and stands for itself
            if (!quoted && previous == '"') {
                value.append(c);
            }
            quoted = !quoted;
        } else if (c == ',' && !quoted) {
            values.add(value.toString().trim());
            value.setLength(0);
        } else {
            value.append(c);
        }
        previous = quoted || c != '"' ? (c == '"' ? ',' : c) : '"';
    }
    values.add(value.toString());
    return values;
}
