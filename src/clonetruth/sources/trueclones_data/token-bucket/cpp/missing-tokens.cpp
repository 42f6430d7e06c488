std::vector<int> serve(int capacity, int interval, std::vector<int> times) {
    int missing = 0, clock = 0;
    std::transform(times.begin(), times.end(), times.begin(), [&](int time) {
        for (; clock < time / interval; clock++)
            if (missing > 0) missing--;
        if (missing == capacity) return -1;
        missing++;
        return capacity - missing;
    });
    return times;
}
