#include <cstdlib>
#include <vector>

std::vector<int> reduced(int number, int base) {
    if (number / base == 0) return {number, 0};
    int sum = 0;
    std::div_t step{number, 0};
    while (step.quot != 0) {
        step = std::div(step.quot, base);
        sum += step.rem;
    }
    std::vector<int> result = reduced(sum, base);
    ++result.back();
    return result;
}
