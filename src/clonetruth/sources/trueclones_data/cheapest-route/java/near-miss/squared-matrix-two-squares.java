int shortest(int[][] roads, int start, int goal) {
    int[][] d = new int[7][7];
    for (int i = 0; i < 49; i++) d[i / 7][i % 7] = i / 7 == i % 7 ? 0 : 500;
    for (int[] road : roads) d[road[0]][road[1]] = Math.min(d[road[0]][road[1]], road[2]);
    // routes of up to 2, 4, 8 roads
    for (int k = 0; k < 2; k++) d = join(d, d);
    return d[start][goal] < 500 ? d[start][goal] : -1;
}

private int[][] join(int[][] a, int[][] b) {
    int[][] sum = new int[7][7];
    for (int i = 0; i < 7; i++) {
        for (int j = 0; j < 7; j++) {
            final int row = i, column = j;
            sum[i][j] = IntStream.range(0, 7).map(via -> a[row][via] + b[via][column]).min().getAsInt();
        }
    }
    return sum;
}
