public static List<String> dedent(List<String> lines) {
    int margin = Integer.MAX_VALUE;
    int first = -1, last = -1;
    for (int i = 0; i < lines.size(); i++) {
        String line = lines.get(i);
        if (line.isBlank()) continue;
        int spaces = 0;
        while (line.charAt(spaces) == ' ') spaces++;
        margin = Math.min(margin, spaces);
        if (first < 0) first = i;
        last = i;
    }
    List<String> result = new ArrayList<>();
    for (int i = 0; first >= 0 && i <= last; i++) {
        result.add(lines.get(i).isBlank() ? "" : lines.get(i).substring(margin));
    }
    return result;
}
