// Fractions with the same denominator first; then the lists are joined over their product.
std::vector<int> addUp(std::vector<std::vector<int>> fractions) {
    std::map<int, long long> tops;
    for (auto& f : fractions) {
        if (f[1] > 0) tops[f[1]] += f[0];
        if (f[1] < 0) tops[-f[1]] -= f[0];
    }
    long long all = 1, sum = 0;
    for (auto& entry : tops) all *= entry.first;
    for (auto& entry : tops) sum += all / entry.first * entry.second;
    long long a = all, b = sum < 0 ? -sum : sum;
    while (b != 0) {
        a %= b;
        std::swap(a, b);
    }
    return {static_cast<int>(sum / a), static_cast<int>(all / a)};
}
