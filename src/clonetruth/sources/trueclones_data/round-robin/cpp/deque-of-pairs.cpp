vector<int> schedule(const vector<int>& needs, int quantum) {
    deque<pair<int, int>> waiting;  // job, rest
    for (size_t j = 0; j < needs.size(); j++)
        if (needs[j]) waiting.emplace_back(j, needs[j]);
    vector<int> finished(needs.size());
    int clock = 0;
    while (!waiting.empty()) {
        auto [job, rest] = waiting.front();
        waiting.pop_front();
        if (rest > quantum) {
            clock += quantum;
            waiting.emplace_back(job, rest - quantum);
        } else {
            clock += rest;
            finished[job] = clock;
        }
        if (!waiting.empty() && waiting.front().first != job) clock++;
    }
    return finished;
}
