public static List<String> align(List<List<String>> rows) {
    List<String> result = new ArrayList<>();
    if (rows.isEmpty()) return result;
    int columns = rows.get(0).size();
    int[] width = new int[columns];
    boolean[] numeric = new boolean[columns];
    Arrays.fill(numeric, true);
    for (List<String> row : rows) {
        for (int c = 0; c < columns; c++) {
            width[c] = Math.max(width[c], row.get(c).length());
            numeric[c] &= row.get(c).matches("-?[0-9]+");
        }
    }
    for (List<String> row : rows) {
        StringBuilder line = new StringBuilder();
        for (int c = 0; c < columns; c++) {
            if (c > 0) line.append(" | ");
            String format = width[c] == 0 ? "%s" : "%" + (numeric[c] ? "" : "-") + width[c] + "s";
            line.append(String.format(format, row.get(c)));
        }
        result.add(line.toString().strip());
    }
    return result;
}
