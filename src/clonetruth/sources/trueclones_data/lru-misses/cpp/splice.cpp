int countMisses(int capacity, const std::vector<int>& requests) {
    if (capacity == 0) return static_cast<int>(requests.size());
    std::list<int> order;  // the most recently used key is at the front
    std::unordered_map<int, std::list<int>::iterator> where;
    int misses = 0;
    for (int key : requests) {
        auto found = where.find(key);
        if (found != where.end()) {
            order.splice(order.begin(), order, found->second);
            continue;
        }
        ++misses;
        if (static_cast<int>(order.size()) == capacity) {
            where.erase(order.back());
            order.pop_back();
        }
        order.push_front(key);
        where[key] = order.begin();
    }
    return misses;
}
