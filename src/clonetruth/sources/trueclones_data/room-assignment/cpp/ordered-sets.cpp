vector<int> assign(vector<int> starts, vector<int> lengths) {
    set<int> free;
    set<pair<int, int>> busy;
    for (int room = 1; room <= 9; room++) free.insert(room);
    vector<int> given;
    size_t n = min(starts.size(), lengths.size());
    for (size_t i = 0; i < n; i++) {
        while (!busy.empty() && busy.begin()->first <= starts[i]) {
            free.insert(busy.begin()->second);
            busy.erase(busy.begin());
        }
        int room = *free.begin();
        free.erase(room);
        busy.insert({starts[i] + lengths[i], room});
        given.push_back(room);
    }
    return given;
}
