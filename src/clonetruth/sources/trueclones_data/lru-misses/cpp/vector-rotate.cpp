#include <algorithm>
#include <vector>

int missCount(int capacity, const std::vector<int>& requests) {
    std::vector<int> cache;  // the key that was used last is at the end
    int missed = 0;
    for (const int key : requests) {
        const auto found = std::find(cache.begin(), cache.end(), key);
        if (found != cache.end()) {
            std::rotate(found, found + 1, cache.end());
        } else {
            ++missed;
            cache.push_back(key);
            if (cache.size() > static_cast<std::size_t>(capacity)) cache.erase(cache.begin());
        }
    }
    return missed;
}
