// The root of n is twice the root of n / 4, or one more.
public long sqrt(long n) {
    if (n < 2) {
        return n;
    }
    long half = 2 * sqrt(n / 4);
    long next = half + 1;
    return next * next >= n ? half : next;
}
