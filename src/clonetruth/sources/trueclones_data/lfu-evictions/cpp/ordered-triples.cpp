#include <array>
#include <map>
#include <set>
#include <vector>

// Entries are ordered by uses, then by time; the first one leaves.
std::vector<int> victims(int capacity, const std::vector<int>& requests) {
    std::set<std::array<int, 3>> order;
    std::map<int, std::array<int, 3>> entries;
    std::vector<int> result;
    int now = 0;
    for (const int key : requests) {
        std::array<int, 3> entry{0, 0, key};
        const auto known = entries.find(key);
        if (known != entries.end()) {
            entry = known->second;
            order.erase(entry);
        } else if (static_cast<int>(order.size()) == capacity) {
            result.push_back((*order.begin())[2]);
            entries.erase(result.back());
            order.erase(order.begin());
        }
        ++entry[0];
        entry[1] = ++now;
        order.insert(entry);
        entries[key] = entry;
    }
    return result;
}
