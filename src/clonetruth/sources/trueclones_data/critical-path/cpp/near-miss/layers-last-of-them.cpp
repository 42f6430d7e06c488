int lastEnd(vector<int> durations, vector<vector<int>> before) {
    int n = before.size(), latest = 0;
    vector<int> ends(n, -1);
    for (int round = 0; round < n; round++) {
        for (int task = 0; task < n; task++) {
            int begin = 0;
            bool ready = true;
            for (int one : before[task]) {
                ready = ends[one] >= 0;
                begin = max(begin, ends[one]);
            }
            if (ready) {
                ends[task] = begin + durations[task];
                latest = max(latest, ends[task]);
            }
        }
    }
    return latest;
}
