long squareRoot(long n) {
    long low = 0;
    long high = 94906266L;
    while (low < high) {
        long middle = (low + high + 1) >>> 1;
        if (middle * middle <= n) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return low;
}
