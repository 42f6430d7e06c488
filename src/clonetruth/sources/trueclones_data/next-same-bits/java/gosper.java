int following(int n) {
    int low = Integer.lowestOneBit(n);
    int high = n + low;
    int changed = n ^ high;
    int small = changed >>> (2 + Integer.numberOfTrailingZeros(n));
    return high | small;
}
