int misses(int capacity, List<Integer> requests) {
    Deque<Integer> used = new ArrayDeque<>();
    int misses = 0;
    for (Integer key : requests) {
        boolean hit = used.remove(key);
        if (!hit) {
            misses++;
            if (used.size() == capacity) {
                used.pollFirst();
            }
        }
        if (capacity > 0) {
            used.addLast(key);
        }
    }
    return misses;
}
