List<List<Integer>> step(List<List<Integer>> grid) {
    int width = grid.get(0).size();
    int[][] count = new int[grid.size() + 2][width + 2];
    for (int r = 1; r <= grid.size(); r++) {
        for (int c = 1; c <= width; c++) {
            if (grid.get(r - 1).get(c - 1) == 0) continue;
            // a living cell tells all around
            for (int k = 0; k < 9; k++) if (k != 4) count[r - 1 + k / 3][c - 1 + k % 3]++;
        }
    }
    List<List<Integer>> after = new ArrayList<>();
    for (int r = 0; r < grid.size(); r++) {
        List<Integer> row = new ArrayList<>();
        for (int c = 0; c < width; c++) {
            int n = count[r + 1][c + 1] | grid.get(r).get(c);
            row.add(n == 3 ? 1 : 0);
        }
        after.add(row);
    }
    return after;
}
