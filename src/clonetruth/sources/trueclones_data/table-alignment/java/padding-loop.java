public List<String> table(List<List<String>> data) {
    List<StringBuilder> lines = new ArrayList<>();
    for (int i = 0; i < data.size(); i++) lines.add(new StringBuilder());
    for (int c = 0; !data.isEmpty() && c < data.get(0).size(); c++) {
        final int column = c;
        boolean numbers = data.stream().noneMatch(row -> !row.get(column).matches("-?\\d+"));
        int target = 0;
        for (int r = 0; r < lines.size(); r++) {
            if (c > 0) lines.get(r).append(" | ");
            target = Math.max(target, lines.get(r).length() + data.get(r).get(c).length());
        }
        for (int r = 0; r < lines.size(); r++) {
            StringBuilder line = lines.get(r);
            int from = line.length();
            line.append(data.get(r).get(c));
            while (line.length() < target) {
                if (numbers) line.insert(from, ' ');
                else line.append(' ');
            }
        }
    }
    return lines.stream().map(line -> line.toString().replaceFirst("\\s+$", "")).collect(Collectors.toList());
}
