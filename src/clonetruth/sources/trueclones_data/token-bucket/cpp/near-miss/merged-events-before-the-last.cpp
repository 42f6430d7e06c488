#include <algorithm>
#include <utility>
#include <vector>

// Refills and requests in one list; at the same time the refill (0) comes before the request (1).
std::vector<int> answer(int capacity, int interval, const std::vector<int>& times) {
    std::vector<std::pair<int, int>> events;
    for (int time = interval; time < 60; time += interval) events.push_back({time, 0});
    for (int time : times) events.push_back({time, 1});
    std::sort(events.begin(), events.end());

    std::vector<int> answers;
    int tokens = capacity;
    for (const auto& [time, request] : events) {
        if (!request)
            tokens = std::min(tokens + 1, capacity);
        else if (tokens > 0)
            answers.push_back(--tokens);
        else
            answers.push_back(-1);
    }
    return answers;
}
