struct Fraction {
    long long num = 0, den = 1;

    void add(long long n, long long d) {
        num = num * d + n * den;
        den *= d;
        const long long common = std::gcd(num, den);
        num /= common;
        den /= common;
    }
};

std::vector<int> sumFractions(const std::vector<std::vector<int>>& fractions) {
    Fraction total;
    for (const auto& f : fractions)
        if (f[1] > 0) total.add(f[0], f[1]);
    if (total.den < 0) {
        total.num = -total.num;
        total.den = -total.den;
    }
    return {static_cast<int>(total.num), static_cast<int>(total.den)};
}
