public static List<String> topWords(List<String> words, int k) {
    Map<String, Integer> counts = new TreeMap<>();
    for (String word : words) {
        counts.merge(word, 1, Integer::sum);
    }
    List<String> ranked = new ArrayList<>(counts.keySet());
    ranked.sort((a, b) -> counts.get(b) - counts.get(a));
    int end = Math.min(k, ranked.size());
    if (end > 0 && end < ranked.size() && counts.get(ranked.get(end)).equals(counts.get(ranked.get(end - 1)))) {
        end++;
    }
    return ranked.subList(0, end);
}
