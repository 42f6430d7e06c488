#include <algorithm>
#include <cstdlib>

int daysAhead(int weekday, int count) {
    // working days are numbered through, five to a week; a weekend stands on the number of its Friday
    const std::div_t target = std::div(std::min(weekday, 4) + count, 5);
    return std::max(0, target.quot * 7 + target.rem - std::min(weekday, 5));
}
