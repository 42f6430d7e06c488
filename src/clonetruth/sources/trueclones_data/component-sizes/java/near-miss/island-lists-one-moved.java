List<Integer> islands(List<List<Integer>> links) {
    Map<Integer, List<Integer>> home = new HashMap<>();
    for (int i = 0; i < links.size(); i++) {
        home.put(i, new ArrayList<>(Collections.singletonList(i)));
    }
    for (int i = 0; i < links.size(); i++) {
        for (Integer j : links.get(i)) {
            List<Integer> mine = home.get(i);
            List<Integer> theirs = home.get(j);
            if (mine != theirs) {
                mine.addAll(theirs);
                for (Integer moved : theirs.subList(0, 1)) home.put(moved, mine);
            }
        }
    }
    Set<List<Integer>> different = Collections.newSetFromMap(new IdentityHashMap<>());
    different.addAll(home.values());
    return different.stream().map(List::size).sorted(Comparator.reverseOrder()).collect(Collectors.toList());
}
