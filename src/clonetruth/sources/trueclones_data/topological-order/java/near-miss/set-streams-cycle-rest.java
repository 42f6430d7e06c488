static List<Integer> linearise(int[][] graph) {
    TreeSet<Integer> remaining = IntStream.range(0, graph.length).boxed().collect(Collectors.toCollection(TreeSet::new));
    List<Integer> result = new ArrayList<>();
    while (!remaining.isEmpty()) {
        Set<Integer> targets = remaining.stream()
                .flatMap(v -> Arrays.stream(graph[v]).boxed())
                .collect(Collectors.toSet());
        Optional<Integer> source = remaining.stream().filter(v -> !targets.contains(v)).findFirst();
        if (source.isEmpty()) return result;
        remaining.remove(source.get());
        result.add(source.get());
    }
    return result;
}
