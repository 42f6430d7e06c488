List<List<Integer>> openings(List<List<Integer>> busy, int length) {
    TreeMap<Integer, Integer> change = new TreeMap<>();
    change.put(23, 1);
    for (List<Integer> b : busy) {
        if (b.get(1) > b.get(0)) {
            change.merge(b.get(0), 1, Integer::sum);
            change.merge(b.get(1), -1, Integer::sum);
        }
    }
    List<List<Integer>> found = new ArrayList<>();
    int depth = 0, since = 0;
    for (Map.Entry<Integer, Integer> e : change.entrySet()) {
        if (depth == 0 && e.getKey() - since >= length) found.add(List.of(since, e.getKey()));
        depth += e.getValue();
        if (depth == 0) since = e.getKey();
    }
    return found;
}
