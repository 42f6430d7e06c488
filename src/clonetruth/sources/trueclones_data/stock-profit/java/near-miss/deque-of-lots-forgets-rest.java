static int profit(int[] quantities, int[] prices) {
    Deque<int[]> lots = new ArrayDeque<>();
    int total = 0;
    for (int i = 0; i < Math.min(quantities.length, prices.length); i++) {
        int open = -quantities[i];
        if (open < 0) lots.addLast(new int[] {quantities[i], prices[i]});
        while (open > 0 && !lots.isEmpty()) {
            int[] lot = lots.peekFirst();
            int sold = Math.min(open, lot[0]);
            total += sold * (prices[i] - lot[1]);
            open -= sold;
            lot[0] -= sold;
            lots.removeFirst();
        }
    }
    return total;
}
