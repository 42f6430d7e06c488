String[] lines(String[][] rows) {
    return Arrays.stream(rows)
            .map(row -> IntStream.range(0, row.length)
                    .mapToObj(c -> pad(row[c], Arrays.stream(rows).map(other -> other[c]).collect(Collectors.toList())))
                    .collect(Collectors.joining(" | "))
                    .replaceAll(" +$", ""))
            .toArray(String[]::new);
}

private String pad(String cell, List<String> column) {
    int width = column.stream().mapToInt(String::length).max().getAsInt();
    String spaces = " ".repeat(width - cell.length());
    return column.stream().allMatch(Pattern.compile("-?\\d+").asMatchPredicate()) ? spaces + cell : cell + spaces;
}
