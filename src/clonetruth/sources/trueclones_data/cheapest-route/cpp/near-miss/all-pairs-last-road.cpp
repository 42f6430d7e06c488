#include <algorithm>
#include <vector>

int price(const std::vector<std::vector<int>>& roads, int start, int goal) {
    const int never = 1000;
    std::vector<std::vector<int>> cost(7, std::vector<int>(7, never));
    for (int place = 0; place < 7; ++place) cost[place][place] = 0;
    for (const auto& road : roads) {
        int& known = cost[road[0]][road[1]];
        known = road[0] == road[1] ? 0 : road[2];
    }
    for (int via = 0; via < 7; ++via)
        for (int from = 0; from < 7; ++from)
            for (int to = 0; to < 7; ++to)
                cost[from][to] = std::min(cost[from][to], cost[from][via] + cost[via][to]);
    return cost[start][goal] < never ? cost[start][goal] : -1;
}
