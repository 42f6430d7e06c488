vector<string> leaders(vector<string> words, int k) {
    map<string, int> seen;
    for (auto& word : words) seen[word]++;
    // bucket n has the words that occur n times
    vector<vector<string>> bucket(words.size() + 1);
    for (auto& entry : seen) bucket[entry.second].push_back(entry.first);
    vector<string> top;
    for (auto level = bucket.rbegin(); level != bucket.rend() && (int)top.size() < k; ++level)
        top.insert(top.end(), level->begin(), level->end());
    return top;
}
