String[] format(String text, int width) {
    LinkedList<String> words = new LinkedList<>(Arrays.asList(text.trim().split("\\s+")));
    if (text.isBlank()) return new String[0];
    List<String> result = new ArrayList<>();
    while (!words.isEmpty()) {
        List<StringBuilder> row = new ArrayList<>();
        int length = -1;
        while (!words.isEmpty() && (row.isEmpty() || length + 1 + words.peek().length() <= width)) {
            length += 1 + words.peek().length();
            row.add(new StringBuilder(words.poll()));
        }
        boolean last = words.isEmpty();
        for (int gap = 0; !last && row.size() > 1 && length < width; length++) {
            row.get(gap).append(' ');
            gap = (gap + 1) % (row.size() - 1);
        }
        result.add(String.join(" ", row));
    }
    return result.toArray(new String[0]);
}
