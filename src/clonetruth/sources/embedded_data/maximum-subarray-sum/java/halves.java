public int largestRun(List<Integer> numbers) {
    return numbers.isEmpty() ? 0 : largestRun(numbers, 0, numbers.size());
}

private int largestRun(List<Integer> numbers, int from, int to) {
    if (to - from == 1) {
        return numbers.get(from);
    }
    int mid = (from + to) >>> 1;
    int left = Integer.MIN_VALUE, right = Integer.MIN_VALUE;
    for (int i = mid - 1, sum = 0; i >= from; i--) {
        sum += numbers.get(i);
        if (sum > left) left = sum;
    }
    for (int i = mid, sum = 0; i < to; i++) {
        sum += numbers.get(i);
        if (sum > right) right = sum;
    }
    int crossing = left + right;
    return Math.max(crossing, Math.max(largestRun(numbers, from, mid), largestRun(numbers, mid, to)));
}
