class Distance {
    std::string a, b;
    std::map<std::pair<int, int>, int> known;

public:
    Distance(std::string s, std::string t) : a(s), b(t) {}

    // steps from the rest of a behind i to the rest of b behind j
    int from(int i, int j) {
        if (i == (int)a.size()) return b.size() - j;
        if (j == (int)b.size()) return a.size() - i;
        auto cached = known.find({i, j});
        if (cached != known.end()) return cached->second;
        int best;
        if (a[i] == b[j]) {
            best = from(i + 1, j + 1);
        } else {
            best = 1 + std::min(from(i + 1, j + 1), std::min(from(i + 1, j), from(i, j + 1)));
            const std::string pair = b.substr(j, 2);
            if (a.compare(i, 2, std::string(pair.rbegin(), pair.rend())) == 0)
                best = std::min(best, from(i + 2, j + 2));
        }
        return known[{i, j}] = best;
    }
};

int stepsBetween(std::string first, std::string second) {
    return Distance(first, second).from(0, 0);
}
