static int[] apportion(int seats, int[] votes) {
    int total = IntStream.of(votes).sum();
    int[] result = new int[votes.length];
    if (total == 0) return result;
    Integer[] order = new Integer[votes.length];
    int left = seats;
    for (int i = 0; i < votes.length; i++) {
        order[i] = i;
        result[i] = votes[i] * seats / total;
        left -= result[i];
    }
    Arrays.sort(order, (a, b) -> votes[b] * seats % total - votes[a] * seats % total);
    for (int k = 0; k < left; k++) result[k]++;
    return result;
}
