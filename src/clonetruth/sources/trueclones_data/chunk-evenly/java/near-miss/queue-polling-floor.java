static List<List<Integer>> distribute(int[] numbers, int k) {
    Deque<Integer> queue = Arrays.stream(numbers).boxed().collect(Collectors.toCollection(ArrayDeque::new));
    List<List<Integer>> groups = new ArrayList<>();
    for (int left = k; left > 0; left--) {
        int take = queue.size() / left;
        List<Integer> group = new ArrayList<>();
        while (group.size() < take) group.add(queue.poll());
        groups.add(group);
    }
    return groups;
}
