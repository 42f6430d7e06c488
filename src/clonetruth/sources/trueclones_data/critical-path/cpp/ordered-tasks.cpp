#include <algorithm>
#include <vector>

// Tasks are taken off one by one when nothing that they wait for is left.
int projectLength(const std::vector<int>& durations, const std::vector<std::vector<int>>& before) {
    std::vector<int> waiting(before.size());
    for (std::size_t i = 0; i < waiting.size(); ++i) waiting[i] = i;
    std::vector<int> end(before.size(), 0);
    int last = 0;
    while (true) {
        const auto ready = std::find_if(waiting.begin(), waiting.end(), [&](int task) {
            return std::none_of(before[task].begin(), before[task].end(), [&](int one) {
                return std::find(waiting.begin(), waiting.end(), one) != waiting.end();
            });
        });
        if (ready == waiting.end()) return last;
        const int task = *ready;
        for (int one : before[task]) end[task] = std::max(end[task], end[one]);
        end[task] += durations[task];
        last = std::max(last, end[task]);
        waiting.erase(ready);
    }
}
