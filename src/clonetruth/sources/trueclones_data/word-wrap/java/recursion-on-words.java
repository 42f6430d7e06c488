static List<String> arrange(String text, int width) {
    List<String> words = Arrays.stream(text.split(" ")).filter(w -> w.length() > 0).collect(Collectors.toList());
    return rows(words, width);
}

static List<String> rows(List<String> words, int width) {
    if (words.isEmpty()) return List.of();
    int count = 1;
    int used = words.get(0).length();
    while (count < words.size() && used + 1 + words.get(count).length() <= width) {
        used += 1 + words.get(count).length();
        count++;
    }
    List<String> result = new ArrayList<>();
    result.add(String.join(" ", words.subList(0, count)));
    result.addAll(rows(words.subList(count, words.size()), width));
    return result;
}
