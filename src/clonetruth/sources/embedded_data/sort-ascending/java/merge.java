List<Integer> mergeSorted(List<Integer> input) {
    if (input.size() < 2) {
        return input;
    }
    int cut = input.size() / 2;
    Deque<Integer> left = new ArrayDeque<>(mergeSorted(input.subList(0, cut)));
    Deque<Integer> right = new ArrayDeque<>(mergeSorted(input.subList(cut, input.size())));
    List<Integer> merged = new ArrayList<>(input.size());
    while (!left.isEmpty() && !right.isEmpty()) {
        merged.add(left.peek() <= right.peek() ? left.poll() : right.poll());
    }
    merged.addAll(left);
    merged.addAll(right);
    return merged;
}
