int[][] tick(int[][] cells) {
    Set<List<Integer>> alive = new HashSet<>();
    for (int y = 0; y < cells.length; y++)
        for (int x = 0; x < cells[y].length; x++)
            if (cells[y][x] == 1) alive.add(List.of(y, x));
    int[][] next = new int[cells.length][];
    for (int y = 0; y < cells.length; y++) {
        next[y] = new int[cells[y].length];
        for (int x = 0; x < next[y].length; x++) {
            final int row = y, column = x;
            long near = alive.stream()
                    .filter(p -> Math.addExact(Math.abs(p.get(0) - row), Math.abs(p.get(1) - column)) == 1)
                    .count();
            if (near == 3) next[y][x] = 1;
            else if (near == 2) next[y][x] = cells[y][x];
        }
    }
    return next;
}
