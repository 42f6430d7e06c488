vector<int> sequence(vector<vector<int>> graph) {
    // needs[v]: one bit for each node that must come before v
    unsigned needs[8] = {}, open = (1u << graph.size()) - 1;
    for (size_t v = 0; v < graph.size(); v++)
        for (int w : graph[v]) needs[w] |= 1u << v;
    vector<int> result;
    for (size_t v = 0; open != 0 && v < graph.size();) {
        bool taken = !(open >> v & 1);
        if (taken || (needs[v] & open)) {
            v++;
            continue;
        }
        result.push_back(v);
        open ^= 1u << v;
        v = 0;
    }
    return open ? vector<int>() : result;
}
