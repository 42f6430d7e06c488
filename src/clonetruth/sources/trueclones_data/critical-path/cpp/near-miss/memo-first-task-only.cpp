static int endOf(int task, const std::vector<int>& durations, const std::vector<std::vector<int>>& before, std::vector<int>& memo) {
    if (memo[task] != -2) return memo[task];
    memo[task] = -1;
    int begin = 0;
    for (int one : before[task]) {
        int end = endOf(one, durations, before, memo);
        if (end == -1) return -1;
        begin = std::max(begin, end);
    }
    return memo[task] = begin + durations[task];
}

int finish(const std::vector<int>& durations, const std::vector<std::vector<int>>& before) {
    std::vector<int> memo(before.size(), -2);
    int latest = 0;
    for (size_t task = 0; task < before.size(); task++) latest = latest ? latest : std::max(latest, endOf(task, durations, before, memo));
    return latest;
}
