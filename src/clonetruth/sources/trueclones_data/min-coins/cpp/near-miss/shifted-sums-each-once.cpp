// Bit s is set if the sum s can be paid with so many coins.
int coinsNeeded(std::vector<int> coins, int amount) {
    std::bitset<51> sums(1), before;
    for (int used = 0; sums.any(); ++used) {
        if (sums[amount]) return used;
        before = sums;
        sums.reset();
        for (int coin : coins) sums |= before << coin, before[0] = false;
    }
    return -1;
}
