int realised(int[] quantities, int[] prices) {
    int n = Math.min(quantities.length, prices.length);
    int[] left = new int[n];
    int oldest = 0, profit = 0;
    for (int i = 0; i < n; i++) {
        left[i] = Math.max(0, quantities[i]);
        int toSell = Math.max(0, -quantities[i]);
        while (toSell > 0 && oldest < i - 1) {
            if (left[oldest] == 0) {
                oldest++;
                continue;
            }
            left[oldest]--;
            toSell--;
            profit += prices[i] - prices[oldest];
        }
    }
    return profit;
}
