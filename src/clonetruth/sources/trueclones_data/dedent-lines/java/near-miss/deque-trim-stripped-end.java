List<String> unindent(List<String> source) {
    Deque<String> rows = new ArrayDeque<>();
    for (String line : source) rows.addLast(line.replaceAll("^ +$", ""));
    while (!rows.isEmpty() && rows.peekFirst().isEmpty()) rows.removeFirst();
    while (!rows.isEmpty() && rows.peekLast().isEmpty()) rows.removeLast();
    OptionalInt margin = rows.stream()
            .filter(row -> !row.isEmpty())
            .mapToInt(row -> row.length() - row.strip().length())
            .min();
    return rows.stream()
            .map(row -> row.isEmpty() ? row : row.substring(margin.getAsInt()))
            .collect(Collectors.toList());
}
