int[] leaves(int capacity, int[] requests) {
    TreeSet<int[]> order = new TreeSet<>((a, b) -> a[0] != b[0] ? a[0] - b[0] : b[1] - a[1]);
    Map<Integer, int[]> known = new TreeMap<>();
    IntStream.Builder gone = IntStream.builder();
    for (int time = 0; time < requests.length; time++) {
        int[] now = {1, time, requests[time]};
        int[] old = known.get(requests[time]);
        if (old != null) {
            order.remove(old);
            now[0] = old[0] + 1;
        } else if (known.size() == capacity) {
            int[] first = order.pollFirst();
            known.remove(first[2]);
            gone.add(first[2]);
        }
        order.add(now);
        known.put(requests[time], now);
    }
    return gone.build().toArray();
}
