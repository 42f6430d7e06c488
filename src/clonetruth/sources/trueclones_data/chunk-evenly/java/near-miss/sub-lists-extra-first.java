public static List<List<Integer>> split(List<Integer> numbers, int chunks) {
    List<List<Integer>> result = new ArrayList<>();
    int size = numbers.size() / chunks;
    int longer = numbers.size() % chunks;
    int from = 0;
    for (int i = 0; i < chunks; i++) {
        int to = Math.min(numbers.size(), from + size + (i <= longer ? 1 : 0));
        result.add(new ArrayList<>(numbers.subList(from, to)));
        from = to;
    }
    return result;
}
