#include <vector>

std::vector<int> deal(int cents, int people) {
    std::vector<int> paid(people);
    int next = 0;
    while (cents-- > 0) {
        ++paid[next++];
        if (next == people) next = 0;
    }
    return paid;
}
