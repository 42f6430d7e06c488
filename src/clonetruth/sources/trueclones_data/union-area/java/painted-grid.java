public static int coveredArea(int[][] rectangles) {
    boolean[][] painted = new boolean[41][41];
    int count = 0;
    for (int[] r : rectangles) {
        for (int x = Math.min(r[0], r[2]); x < Math.max(r[0], r[2]); x++) {
            for (int y = Math.min(r[1], r[3]); y < Math.max(r[1], r[3]); y++) {
                if (!painted[x + 20][y + 20]) {
                    painted[x + 20][y + 20] = true;
                    count++;
                }
            }
        }
    }
    return count;
}
