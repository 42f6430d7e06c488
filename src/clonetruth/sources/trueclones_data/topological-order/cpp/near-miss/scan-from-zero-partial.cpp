#include <vector>

std::vector<int> ordering(const std::vector<std::vector<int>>& successors) {
    const int n = successors.size();
    std::vector<bool> placed(n, false);
    std::vector<int> order;
    const auto blocked = [&](int node) {
        for (int other = 0; other < n; ++other) {
            if (placed[other]) continue;
            for (int next : successors[other])
                if (next == node) return true;
        }
        return false;
    };
    while (static_cast<int>(order.size()) < n) {
        int node = 0;
        while (node < n && (placed[node] || blocked(node))) ++node;
        if (node == n) return order;
        placed[node] = true;
        order.push_back(node);
    }
    return order;
}
