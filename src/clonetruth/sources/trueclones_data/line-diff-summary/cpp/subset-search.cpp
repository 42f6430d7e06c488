// Tries all sets of lines of the first file, eight at most.
static bool contains(const vector<string>& lines, const vector<string>& part) {
    size_t found = 0;
    for (const string& line : lines)
        if (found < part.size() && part[found] == line) found++;
    return found == part.size();
}

vector<int> kept(vector<string> before, vector<string> after) {
    int best = 0;
    for (unsigned set = 0; set < 1u << before.size(); set++) {
        int size = __builtin_popcount(set);
        if (size <= best) continue;
        vector<string> chosen;
        for (size_t i = 0; i < before.size(); i++)
            if (set >> i & 1) chosen.push_back(before[i]);
        if (contains(after, chosen)) best = size;
    }
    return {best, int(before.size()) - best, int(after.size()) - best};
}
