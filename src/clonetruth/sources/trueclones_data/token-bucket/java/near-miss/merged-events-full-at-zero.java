int[] remaining(int capacity, int interval, int[] times) {
    PriorityQueue<int[]> events = new PriorityQueue<>(
            Comparator.<int[]>comparingInt(e -> e[0]).thenComparingInt(e -> e[1]));
    for (int t = 1; t <= 60; t += interval) events.add(new int[] {t, -1});
    for (int i = 0; i < times.length; i++) events.add(new int[] {times[i], i});
    int[] answers = new int[times.length];
    int tokens = capacity;
    while (!events.isEmpty()) {
        int request = events.poll()[1];
        if (request < 0) {
            if (tokens < capacity) tokens++;
        } else {
            answers[request] = tokens > 0 ? --tokens : -1;
        }
    }
    return answers;
}
