public int count(List<Integer> coins, int amount) {
    BitSet sums = new BitSet();
    sums.set(0);
    for (int used = 0; used < Math.max(amount, 1); used++) {
        if (sums.get(amount)) return used;
        BitSet more = new BitSet();
        for (int coin : coins) {
            sums.stream().map(sum -> sum + coin).filter(sum -> sum <= amount).forEach(more::set);
        }
        sums = more;
    }
    return -1;
}
