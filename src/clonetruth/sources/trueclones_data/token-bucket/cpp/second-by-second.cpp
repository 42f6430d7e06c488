vector<int> run(int capacity, int interval, vector<int> times) {
    vector<int> left(times.size());
    int tokens = capacity, second = 0;
    size_t next = 0;
    while (next < times.size()) {
        if (times[next] == second) {
            left[next++] = tokens - 1;
            if (tokens) tokens--;
        } else if (++second % interval == 0 && tokens != capacity) {
            tokens++;
        }
    }
    return left;
}
