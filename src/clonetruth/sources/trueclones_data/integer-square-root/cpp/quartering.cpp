// Halves the number of digits in base four, then looks at the two roots that are left.
long long floorRoot(long long n) {
    if (n < 4) {
        return n == 0 ? 0 : 1;
    }
    const long long half = 2 * floorRoot(n / 4);
    return (half + 1) * (half + 1) > n ? half : half + 1;
}
