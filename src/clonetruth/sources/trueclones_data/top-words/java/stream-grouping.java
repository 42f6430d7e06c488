List<String> frequentWords(List<String> words, int k) {
    Map<String, Long> frequency = words.stream().collect(Collectors.groupingBy(w -> w, Collectors.counting()));
    long least = frequency.values().stream()
            .sorted(Comparator.reverseOrder())
            .limit(k)
            .reduce((first, second) -> second)
            .orElse(Long.MAX_VALUE);
    return frequency.entrySet().stream()
            .filter(e -> e.getValue() >= least)
            .sorted(Map.Entry.<String, Long>comparingByValue().reversed().thenComparing(Map.Entry.comparingByKey()))
            .map(Map.Entry::getKey)
            .collect(Collectors.toList());
}
