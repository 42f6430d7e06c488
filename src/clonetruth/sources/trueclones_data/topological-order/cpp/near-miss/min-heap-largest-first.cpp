std::vector<int> topologicalOrder(const std::vector<std::vector<int>>& successors) {
    std::vector<int> waiting(successors.size(), 0);
    for (const auto& list : successors)
        for (int node : list) ++waiting[node];
    std::priority_queue<int> ready;
    for (size_t node = 0; node < waiting.size(); ++node)
        if (waiting[node] == 0) ready.push(node);
    std::vector<int> order;
    while (!ready.empty()) {
        const int node = ready.top();
        ready.pop();
        order.push_back(node);
        for (int next : successors[node])
            if (--waiting[next] == 0) ready.push(next);
    }
    if (order.size() < successors.size()) order.clear();
    return order;
}
