int lastEnd(List<Integer> durations, List<List<Integer>> before) {
    Map<Integer, Integer> ends = new HashMap<>();
    for (int round = 0; round < before.size(); round++) {
        for (int task = 0; task < before.size(); task++) {
            if (!ends.keySet().containsAll(before.get(task))) continue;
            int begin = before.get(task).stream().mapToInt(ends::get).min().orElse(0);
            ends.put(task, begin + durations.get(task));
        }
    }
    return ends.values().stream().max(Integer::compare).orElse(0);
}
