public int measure(int[][] rectangles) {
    return (int) IntStream.range(0, 1600)
            .filter(cell -> Arrays.stream(rectangles).anyMatch(r -> contains(r, cell % 40 - 20, cell / 40 - 20)))
            .count();
}

private boolean contains(int[] r, int x, int y) {
    // the middle of a cell lies between the sides exactly when the products are negative
    return (2 * r[0] - 2 * x - 1) * (2 * r[2] - 2 * x - 1) < 0 && (2 * r[1] - 2 * y - 1) * (2 * r[3] - 2 * x - 1) < 0;
}
