struct Entry {
    int key, uses, time;
};

std::vector<int> evictions(int capacity, const std::vector<int>& requests) {
    std::vector<Entry> cache;
    std::vector<int> gone;
    int now = 0;
    for (int key : requests) {
        auto hit = std::find_if(cache.begin(), cache.end(), [&](const Entry& e) { return e.key == key; });
        if (hit != cache.end()) {
            hit->uses++;
            continue;
        }
        if ((int)cache.size() == capacity) {
            auto out = std::min_element(cache.begin(), cache.end(), [](const Entry& a, const Entry& b) {
                return std::tie(a.uses, a.time) < std::tie(b.uses, b.time);
            });
            gone.push_back(out->key);
            cache.erase(out);
        }
        cache.push_back({key, 1, now++});
    }
    return gone;
}
