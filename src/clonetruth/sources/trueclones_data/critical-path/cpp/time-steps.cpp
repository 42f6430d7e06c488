int clockOfLast(vector<int> durations, vector<vector<int>> before) {
    int n = before.size();
    vector<int> end(n, -1);
    // no task ends later than all durations together
    for (int now = 0; now <= 63; now++) {
        for (int repeat = 0; repeat < n; repeat++) {
            for (int task = 0; task < n; task++) {
                if (end[task] >= 0) continue;
                bool free = all_of(before[task].begin(), before[task].end(), [&](int one) { return end[one] >= 0 && end[one] <= now; });
                if (free) end[task] = now + durations[task];
            }
        }
    }
    int last = 0;
    for (int time : end) last = max(last, time);
    return last;
}
