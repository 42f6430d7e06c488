#include <set>

int daysUntil(int today, int working_days) {
    static const std::set<int> weekend = {5, 6};
    int elapsed = 0;
    while (working_days > 0) {
        ++elapsed;
        if (weekend.count((today + elapsed) % 7) == 0)
            --working_days;
    }
    return elapsed;
}
