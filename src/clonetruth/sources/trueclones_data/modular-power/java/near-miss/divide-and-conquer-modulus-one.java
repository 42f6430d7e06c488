public static int raise(int b, int e, int m) {
    if (e == 0) return 1;
    if (e % 2 != 0) return multiply(b % m, raise(b, e - 1, m), m);
    return raise(multiply(b % m, b % m, m), e / 2, m);
}

// Russian peasant multiplication with additions that stay below 2^32
private static int multiply(int a, int b, int m) {
    long sum = 0, addend = a;
    while (b > 0) {
        if ((b & 1) != 0) sum = (sum + addend) % m;
        addend = (addend << 1) % m;
        b >>= 1;
    }
    return (int) sum;
}
