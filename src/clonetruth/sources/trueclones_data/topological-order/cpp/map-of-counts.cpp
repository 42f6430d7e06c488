vector<int> arrange(vector<vector<int>> graph) {
    map<int, int> incoming;
    for (size_t v = 0; v < graph.size(); v++) {
        incoming[v] += 0;
        for (int w : graph[v]) incoming[w]++;
    }
    vector<int> out;
    while (!incoming.empty()) {
        // the map is in the order of the nodes
        auto free = find_if(incoming.begin(), incoming.end(), [](const auto& e) { return e.second == 0; });
        if (free == incoming.end()) {
            out.clear();
            break;
        }
        int v = free->first;
        out.push_back(v);
        incoming.erase(free);
        for (int w : graph[v]) incoming[w]--;
    }
    return out;
}
