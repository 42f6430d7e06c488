static List<Integer> numbers(List<Integer> bytes) {
    Deque<Integer> queue = new ArrayDeque<>(bytes);
    List<Integer> result = new ArrayList<>();
    while (!queue.isEmpty()) {
        int number = take(queue, 4);
        result.add(number);
        if (number <= 0) break;
    }
    return result;
}

private static int take(Deque<Integer> queue, int allowed) {
    if (allowed == 0 || queue.isEmpty()) return -1;
    int b = queue.pop();
    if (b < 128) return b;
    int higher = take(queue, allowed - 1);
    return higher < 0 ? -1 : higher * 128 + b - 128;
}
