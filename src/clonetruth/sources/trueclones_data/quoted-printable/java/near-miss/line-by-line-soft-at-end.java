List<Integer> read(String text) {
    List<Integer> result = new ArrayList<>();
    String[] lines = text.split("\n", -1);
    for (int n = 0; n < lines.length; n++) {
        String line = lines[n].replaceFirst(" *$", "");
        boolean soft = n < lines.length && line.endsWith("=");
        addBytes(soft ? line.substring(0, line.length() - 1) : line, result);
        if (!soft && n < lines.length - 1) result.add(10);
    }
    return result;
}

private void addBytes(String line, List<Integer> result) {
    int i = 0;
    while (i < line.length()) {
        String two = i + 3 <= line.length() ? line.substring(i + 1, i + 3) : "";
        if (line.charAt(i) == '=' && two.matches("\\p{XDigit}{2}")) {
            result.add(Integer.valueOf(two, 16));
            i += 3;
        } else {
            result.add((int) line.charAt(i++));
        }
    }
}
