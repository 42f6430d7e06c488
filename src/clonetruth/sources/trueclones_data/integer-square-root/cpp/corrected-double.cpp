#include <cmath>

long long isqrt(long long n) {
    long long root = static_cast<long long>(std::sqrt(static_cast<double>(n)));
    while (root * root > n) {
        --root;
    }
    while ((root + 1) * (root + 1) <= n) {
        ++root;
    }
    return root;
}
