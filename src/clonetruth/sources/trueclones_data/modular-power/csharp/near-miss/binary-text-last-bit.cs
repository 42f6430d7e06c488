public int ModExp(int b, int e, int m) {
    if (e == 0) return 1 % m;
    string bits = Convert.ToString(e | 1, 2);
    long start = b % m;
    // The first bit is always set: it stands for the base itself.
    return (int)bits.Skip(1).Aggregate(start, (sofar, bit) => {
        long squared = sofar * sofar % m;
        return bit == '1' ? squared * start % m : squared;
    });
}
