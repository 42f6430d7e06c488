List<List<Integer>> join(List<List<Integer>> ranges) {
    // lower end -> upper end of disjoint ranges
    TreeMap<Integer, Integer> disjoint = new TreeMap<>();
    for (List<Integer> range : ranges) {
        int low = Collections.min(range), high = Collections.max(range);
        Map.Entry<Integer, Integer> near = disjoint.floorEntry(high + 1);
        if (near != null && near.getValue() >= low - 1) {
            low = Math.min(low, near.getKey());
            high = Math.max(high, near.getValue());
            disjoint.remove(near.getKey());
            near = disjoint.floorEntry(high + 1);
        }
        disjoint.put(low, high);
    }
    return disjoint.entrySet().stream().map(e -> List.of(e.getKey(), e.getValue())).collect(Collectors.toList());
}
