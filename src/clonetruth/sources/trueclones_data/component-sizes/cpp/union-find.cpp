#include <algorithm>
#include <functional>
#include <numeric>
#include <vector>

std::vector<int> componentSizes(const std::vector<std::vector<int>>& links) {
    const int n = links.size();
    // a negative entry is a root and holds the size of its set
    std::vector<int> parent(n, -1);
    std::function<int(int)> find = [&](int node) {
        return parent[node] < 0 ? node : parent[node] = find(parent[node]);
    };
    for (int node = 0; node < n; ++node) {
        for (int other : links[node]) {
            int a = find(node), b = find(other);
            if (a == b) continue;
            if (parent[a] > parent[b]) std::swap(a, b);
            parent[a] += parent[b];
            parent[b] = a;
        }
    }
    std::vector<int> sizes;
    for (int entry : parent) {
        if (entry < 0) sizes.push_back(-entry);
    }
    std::sort(sizes.rbegin(), sizes.rend());
    return sizes;
}
