static List<Integer> answers(int capacity, int interval, List<Integer> times) {
    List<Integer> result = new ArrayList<>();
    int tokens = capacity;
    int clock = 0;
    for (int time : times) {
        while (clock < time) {
            clock++;
            if (clock % interval == 0) tokens = Math.min(tokens + 1, capacity);
        }
        result.add(tokens == 0 ? -1 : --tokens);
    }
    return result;
}
