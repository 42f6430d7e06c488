static int degreesOfSeparation(List<List<Integer>> links, int person, int other) {
    Set<Integer> known = new HashSet<>();
    Set<Integer> frontier = Set.of(person);
    for (int steps = 0; !frontier.isEmpty(); steps++) {
        if (frontier.contains(other)) {
            return steps;
        }
        known.addAll(frontier);
        frontier = frontier.stream()
                .flatMap(p -> links.get(p).stream())
                .filter(p -> !known.contains(p))
                .collect(Collectors.toSet());
    }
    return -1;
}
