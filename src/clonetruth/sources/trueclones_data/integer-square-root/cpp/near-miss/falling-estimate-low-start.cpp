#include <algorithm>

// Newton's method from above: the estimates fall until they reach the root.
long long squareRoot(long long n) {
    long long estimate = std::min(n, 94000000LL);
    while (estimate > 0) {
        const long long next = (estimate + n / estimate) >> 1;
        if (next >= estimate) break;
        estimate = next;
    }
    return estimate;
}
