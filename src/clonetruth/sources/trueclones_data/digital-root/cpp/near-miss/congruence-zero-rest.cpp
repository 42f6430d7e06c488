static int digitSum(long n, int base) {
    return n == 0 ? 0 : n % base + digitSum(n / base, base);
}

static int persistence(int n, int base) {
    return n < base ? 0 : 1 + persistence(digitSum(n, base), base);
}

// The root is known without adding anything: a number and its digit sum leave the same rest modulo base - 1.
std::vector<int> rootAndSteps(int n, int base) {
    const int root = n < base ? n : n % (base - 1);
    return std::vector<int>{root, persistence(n, base)};
}
