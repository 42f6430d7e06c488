int[] throttle(int capacity, int interval, int[] times) {
    // numbers of the refills that bring back the tokens that are out
    Deque<Integer> out = new ArrayDeque<>();
    int[] left = new int[times.length];
    for (int i = 0; i < times.length; i++) {
        int refill = times[i] / interval;
        while (!out.isEmpty() && out.peekFirst() <= refill) out.removeFirst();
        if (out.size() == capacity) {
            left[i] = -1;
        } else {
            out.addLast(out.isEmpty() ? refill + 1 : out.peekLast() + 1);
            left[i] = capacity - out.size();
        }
    }
    return left;
}
