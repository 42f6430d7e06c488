vector<int> run(int capacity, vector<int> requests) {
    map<int, list<int>> byUses;
    map<int, int> uses;
    vector<int> left;
    for (int key : requests) {
        if (uses.count(key)) {
            byUses[uses[key]].remove(key);
            if (byUses[uses[key]].empty()) byUses.erase(uses[key]);
        } else if ((int)uses.size() == capacity) {
            auto lowest = byUses.begin();
            int victim = lowest->second.front();
            lowest->second.pop_front();
            if (lowest->second.empty()) byUses.erase(lowest);
            uses.erase(victim);
            left.push_back(victim);
        }
        byUses[++uses[key]].push_front(key);
    }
    return left;
}
