static List<String> draw(String[][] table) {
    if (table.length == 0) return Collections.emptyList();
    int rows = table.length, columns = table[0].length;
    int[] start = new int[columns + 1];
    boolean[] left = new boolean[columns];
    for (int c = 0; c < columns; c++) {
        int longest = 0;
        for (String[] row : table) {
            longest = Math.max(longest, row[c].length());
            left[c] |= !isWholeNumber(row[c]);
        }
        start[c + 1] = start[c] + longest + 3;
    }
    List<String> out = new ArrayList<>();
    for (int r = 0; r < rows; r++) {
        char[] line = new char[start[columns]];
        Arrays.fill(line, ' ');
        for (int c = 0; c < columns; c++) {
            String cell = table[r][c];
            int at = left[c] ? start[c] : start[c + 1] - 3 - cell.length();
            cell.getChars(0, cell.length(), line, at);
            if (c + 1 < columns) line[start[c + 1] - 2] = '|';
        }
        int end = line.length;
        while (end > 0 && line[end - 1] == ' ') end--;
        out.add(new String(line, 0, end));
    }
    return out;
}

static boolean isWholeNumber(String s) {
    int first = s.startsWith("-") ? 1 : 0;
    for (int i = first; i < s.length(); i++) {
        if (s.charAt(i) < '0' || s.charAt(i) > '9') return false;
    }
    return s.length() >= first;
}
