int[] simulate(int capacity, int[] requests) {
    List<LinkedHashSet<Integer>> byUses = new ArrayList<>();
    for (int i = 0; i <= requests.length; i++) byUses.add(new LinkedHashSet<>());
    int size = 0, removed = 0;
    int[] result = new int[requests.length];
    for (int key : requests) {
        int uses = 0;
        for (int u = 1; u < byUses.size(); u++) {
            if (byUses.get(u).remove(key)) {
                uses = u;
                break;
            }
        }
        if (uses == 0 && size == capacity) {
            int u = 1;
            while (byUses.get(u).isEmpty()) u++;
            int victim = byUses.get(u).iterator().next();
            byUses.get(u).remove(victim);
            result[removed++] = victim;
        } else if (uses == 0) {
            size++;
        }
        byUses.get(Math.min(uses + 1, 3)).add(key);
    }
    return Arrays.copyOf(result, removed);
}
