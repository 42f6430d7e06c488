int nextNumber(int n) {
    const int zeros = __builtin_ctz(n);
    const int ones = __builtin_ctz(~(n >> zeros));
    n += 1 << zeros;
    return n | ((1 << (ones - 1)) - 1);
}
