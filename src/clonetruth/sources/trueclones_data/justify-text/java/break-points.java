List<String> layOut(String text, int width) {
    String[] words = Arrays.stream(text.split(" ")).filter(w -> !w.isEmpty()).toArray(String[]::new);
    List<String> lines = new ArrayList<>();
    for (int from = 0, to; from < words.length; from = to) {
        to = from + 1;
        while (to < words.length && String.join(" ", Arrays.copyOfRange(words, from, to + 1)).length() <= width) to++;
        String[] row = Arrays.copyOfRange(words, from, to);
        String joined = String.join(" ", row);
        int gaps = row.length - 1;
        if (to == words.length || gaps == 0) {
            lines.add(joined);
            continue;
        }
        int missing = width - joined.length();
        String wide = " ".repeat(2 + missing / gaps), narrow = wide.substring(1);
        int split = missing % gaps;
        String left = String.join(wide, Arrays.copyOfRange(row, 0, split + 1));
        String right = String.join(narrow, Arrays.copyOfRange(row, split + 1, row.length));
        lines.add(left + narrow + right);
    }
    return lines;
}
