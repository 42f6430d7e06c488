int misses(int capacity, vector<int> requests) {
    map<int, int> lastUse;
    set<pair<int, int>> byTime;
    int now = 0, missed = 0;
    for (size_t at = 0; at < requests.size(); at++) {
        int key = requests[at];
        if (lastUse.count(key)) {
            byTime.erase({lastUse[key], key});
        } else {
            missed++, now++;
        }
        lastUse[key] = now;
        byTime.insert({now, key});
        if ((int)byTime.size() > capacity) {
            lastUse.erase(byTime.begin()->second);
            byTime.erase(byTime.begin());
        }
    }
    return missed;
}
