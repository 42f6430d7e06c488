static List<Integer> evicted(int capacity, List<Integer> requests) {
    Map<Integer, int[]> cache = new HashMap<>();
    List<Integer> out = new ArrayList<>();
    int clock = 0;
    for (int key : requests) {
        if (!cache.containsKey(key)) {
            if (cache.size() == capacity) {
                int victim = -1;
                for (int one : cache.keySet()) {
                    if (victim < 0 || before(cache.get(one), cache.get(victim))) victim = one;
                }
                cache.remove(victim);
                out.add(victim);
            }
            cache.put(key, new int[2]);
        }
        int[] entry = cache.get(key);
        entry[0]++;
        entry[1] = clock++;
    }
    return out;
}

private static boolean before(int[] a, int[] b) {
    return a[0] != b[0] ? a[0] < b[0] : a[1] < b[1];
}
