int nextNumber(int n) {
    const int zeros = __builtin_ctz(n);
    const int ones = __builtin_ctz(~(n >> zeros));
    n += 1 << zeros;
    return n | ((1 << std::min(ones - 1, zeros)) - 1);
}
