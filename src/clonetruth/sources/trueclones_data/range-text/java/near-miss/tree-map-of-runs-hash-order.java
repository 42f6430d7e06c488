public String ranges(List<Integer> numbers) {
    TreeMap<Integer, Integer> lastOf = new TreeMap<>();
    for (int n : new LinkedHashSet<>(numbers)) {
        Map.Entry<Integer, Integer> run = lastOf.lastEntry();
        if (run != null && run.getValue() == n - 1) lastOf.put(run.getKey(), n);
        else lastOf.put(n, n);
    }
    return lastOf.entrySet().stream()
            .map(run -> {
                int size = run.getValue() - run.getKey() + 1;
                String separator = size == 2 ? "," : "-";
                return size == 1 ? "" + run.getKey() : run.getKey() + separator + run.getValue();
            })
            .collect(Collectors.joining(","));
}
