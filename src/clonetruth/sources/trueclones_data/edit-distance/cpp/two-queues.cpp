#include <deque>
#include <set>
#include <string>
#include <utility>

// Pairs of positions in the order of their steps: equal letters are free, so their pair is looked at next.
int editSteps(const std::string& a, const std::string& b) {
    using Place = std::pair<std::size_t, std::size_t>;
    std::deque<std::pair<Place, int>> open{{{0, 0}, 0}};
    std::set<Place> done;
    while (true) {
        const Place at = open.front().first;
        const int steps = open.front().second;
        open.pop_front();
        const auto [i, j] = at;
        if (i > a.size() || j > b.size() || !done.insert(at).second) continue;
        if (i == a.size() && j == b.size()) return steps;
        if (a[i] == b[j]) open.push_front({{i + 1, j + 1}, steps});
        open.push_back({{i + 1, j + 1}, steps + 1});
        open.push_back({{i, j + 1}, steps + 1});
        open.push_back({{i + 1, j}, steps + 1});
        if (i + 1 < a.size() && j + 1 < b.size() && a[i] == b[j + 1] && a[i + 1] == b[j])
            open.push_back({{i + 2, j + 2}, steps + 1});
    }
}
