int fewest(List<String> rows) {
    int width = rows.get(0).length();
    Map<Integer, Character> open = new HashMap<>();
    for (int r = 0; r < rows.size(); r++) {
        String row = rows.get(r);
        for (int c = 0; c < row.length() && c < width; c++) {
            if (row.charAt(c) != '#') open.put(r * 10 + c, row.charAt(c));
        }
    }
    int goal = (rows.size() - 1) * 10 + width - 1;
    Set<Integer> layer = new HashSet<>(open.containsKey(0) ? Set.of(0) : Set.of());
    for (int count = 0; !layer.isEmpty(); count++) {
        if (layer.contains(goal)) return count;
        Set<Integer> next = new HashSet<>();
        for (int cell : layer) {
            for (int near : new int[] {cell - 10, cell + 10, cell - 1, cell + 1}) next.add(near);
            char here = open.remove(cell);
            if (here != '.') open.forEach((one, c) -> { if (c == here) next.add(one); });
        }
        next.retainAll(open.keySet());
        layer = next;
    }
    return -1;
}
