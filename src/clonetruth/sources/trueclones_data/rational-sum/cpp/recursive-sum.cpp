#include <cstdlib>
#include <numeric>
#include <vector>

// The sum of the fractions from one place on, reduced with a positive denominator.
static std::pair<long, long> sumFrom(const std::vector<std::vector<int>>& fractions, std::size_t at) {
    if (at == fractions.size()) return {0, 1};
    const auto [top, bottom] = sumFrom(fractions, at + 1);
    const long n = fractions[at][0], d = fractions[at][1];
    if (d == 0) return {top, bottom};
    const long numerator = d > 0 ? top * d + n * bottom : -(top * d + n * bottom);
    const long denominator = bottom * std::abs(d);
    const long divisor = std::gcd(numerator, denominator);
    return {numerator / divisor, denominator / divisor};
}

std::vector<int> total(const std::vector<std::vector<int>>& fractions) {
    const auto sum = sumFrom(fractions, 0);
    return {int(sum.first), int(sum.second)};
}
