List<Integer> limit(int capacity, int interval, List<Integer> times) {
    LinkedList<Integer> result = new LinkedList<>();
    levelAfter(times.size() - 1, capacity, interval, times, result);
    return result;
}

/** The level of the bucket after a request; answers of all requests up to it are added. */
private int levelAfter(int index, int capacity, int interval, List<Integer> times, List<Integer> answers) {
    if (index < 0) return capacity;
    int before = levelAfter(index - 1, capacity, interval, times, answers);
    int refills = times.get(index) / interval - (index == 0 ? 0 : times.get(index - 1) / interval);
    int level = Math.min(capacity, before + refills);
    if (level == 0) {
        answers.add(-1);
        return 0;
    }
    answers.add(level - 1);
    return level - 1;
}
