struct Bucket {
    int capacity, interval, level, refills;

    int request(int time) {
        int due = time / interval;
        level = std::min(capacity, level + due - refills);
        if (level < capacity) refills = due;
        return level > 0 ? --level : -1;
    }
};

std::vector<int> limit(int capacity, int interval, const std::vector<int>& times) {
    Bucket bucket{capacity, interval, capacity, 0};
    std::vector<int> answers;
    for (int time : times) answers.push_back(bucket.request(time));
    return answers;
}
