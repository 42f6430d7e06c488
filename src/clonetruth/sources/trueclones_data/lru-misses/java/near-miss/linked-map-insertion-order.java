public static int countMisses(int capacity, int[] requests) {
    Map<Integer, Boolean> cache = new LinkedHashMap<>(16, 0.75f, false) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, Boolean> eldest) {
            return size() > capacity;
        }
    };
    int misses = 0;
    for (int key : requests) {
        if (cache.get(key) == null) {
            misses++;
            cache.put(key, true);
        }
    }
    return misses;
}
