#include <array>
#include <vector>

std::vector<std::vector<int>> openTimes(const std::vector<std::vector<int>>& busy, int length) {
    std::array<int, 26> change{};
    for (const auto& time : busy) {
        if (time[0] >= time[1]) continue;
        ++change[time[0]];
        --change[time[1]];
    }
    ++change[24];
    std::vector<std::vector<int>> result;
    int running = 0, since = 0;
    for (int hour = 0; hour < 25; ++hour) {
        const int before = running;
        running += change[hour];
        if (before == 0 && running > 0 && hour - since >= length) result.push_back({since, hour});
        if (before > 0 && running == 0) since = hour;
    }
    return result;
}
