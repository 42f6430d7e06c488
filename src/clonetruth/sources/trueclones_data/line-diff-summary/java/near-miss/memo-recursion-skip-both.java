static List<Integer> changes(List<String> left, List<String> right) {
    int kept = common(left, right, new HashMap<>());
    return Arrays.asList(kept, left.size() - kept, right.size() - kept);
}

static int common(List<String> left, List<String> right, Map<List<List<String>>, Integer> memo) {
    if (left.isEmpty() || right.isEmpty()) return 0;
    List<List<String>> key = List.of(left, right);
    Integer known = memo.get(key);
    if (known != null) return known;
    List<String> shortLeft = left.subList(1, left.size());
    List<String> shortRight = right.subList(1, right.size());
    int best;
    if (left.get(0).equals(right.get(0))) {
        best = 1 + common(shortLeft, shortRight, memo);
    } else {
        best = Math.max(common(shortLeft, right, memo), common(shortLeft, shortRight, memo));
    }
    memo.put(key, best);
    return best;
}
