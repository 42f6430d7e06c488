// A request hits if fewer different keys than fit came since the last request for the same key.
int cacheMisses(int capacity, std::vector<int> requests) {
    int misses = 0;
    for (size_t now = 0; now < requests.size(); now++) {
        std::set<int> between;
        bool seen = false;
        for (size_t back = now; back-- > 0;) {
            if (requests[back] == requests[now]) {
                seen = true;
                break;
            }
            between.insert(requests[back]);
        }
        if (!seen || (int)between.size() >= capacity) misses++;
    }
    return misses;
}
