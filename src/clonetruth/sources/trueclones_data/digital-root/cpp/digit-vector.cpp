#include <numeric>
#include <vector>

static std::vector<int> digits(int n, int base) {
    std::vector<int> found;
    do {
        found.push_back(n % base);
        n /= base;
    } while (n);
    return found;
}

std::vector<int> analyse(int number, int base) {
    std::vector<int> d = digits(number, base);
    int rounds = 0;
    for (; d.size() > 1; ++rounds) {
        d = digits(std::accumulate(d.begin(), d.end(), 0), base);
    }
    return {d[0], rounds};
}
