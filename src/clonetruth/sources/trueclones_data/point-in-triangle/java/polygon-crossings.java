public int test(int[][] polygon, int px, int py) {
    int crossings = 0;
    for (int i = 0, j = polygon.length - 1; i < polygon.length; j = i++) {
        int x1 = polygon[i][0] - px, y1 = polygon[i][1] - py;
        int x2 = polygon[j][0] - px, y2 = polygon[j][1] - py;
        int cross = x1 * y2 - x2 * y1;
        if (cross == 0 && x1 * x2 + y1 * y2 <= 0) {
            return 0;
        }
        if (y1 <= 0 && y2 > 0 && cross > 0) crossings++;
        if (y2 <= 0 && y1 > 0 && cross < 0) crossings++;
    }
    return crossings % 2 == 1 ? 1 : -1;
}
