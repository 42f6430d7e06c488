vector<string> mostFrequent(vector<string> words, int k) {
    sort(words.begin(), words.end());
    vector<string> distinct(words);
    distinct.erase(unique(distinct.begin(), distinct.end()), distinct.end());
    auto frequency = [&](const string &w) {
        auto range = equal_range(words.begin(), words.end(), w);
        return range.second - range.first;
    };
    if (k == 0) return {};
    // The frequency of the k-th word decides who is in.
    vector<long> all;
    for (auto &w : distinct) all.push_back(frequency(w));
    sort(all.begin(), all.end(), greater<long>());
    long least = k < (int)all.size() ? all[k - 1] : all.empty() ? 1 : all[0];
    vector<string> result;
    for (auto &w : distinct)
        if (frequency(w) >= least) result.push_back(w);
    stable_sort(result.begin(), result.end(), [&](auto &a, auto &b) { return frequency(a) > frequency(b); });
    return result;
}
