int price(int[][] roads, int from, int to) {
    final int none = 1000;
    int[] cost = new int[7];
    Arrays.fill(cost, none);
    cost[from] = 0;
    for (int round = 1; round < cost.length; round++) {
        for (int[] road : roads) {
            cost[road[1]] = Math.min(cost[road[1]], cost[road[0]] + road[2]);
        }
    }
    return cost[to] >= none ? -1 : cost[to];
}
