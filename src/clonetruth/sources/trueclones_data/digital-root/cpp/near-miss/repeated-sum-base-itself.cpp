#include <vector>

std::vector<int> digitalRoot(int number, int base) {
    int additions = 0;
    while (number > base) {
        int sum = 0;
        for (; number > 0; number /= base) {
            sum += number % base;
        }
        number = sum;
        ++additions;
    }
    return {number, additions};
}
