using Digits = std::vector<int>;

static int valueOf(const Digits& digits) {
    return std::accumulate(digits.rbegin(), digits.rend(), 0, [](int sum, int d) { return sum << 7 | d; });
}

std::vector<int> decode(std::vector<int> data) {
    std::vector<int> values;
    Digits open;
    for (int b : data) {
        open.push_back(b & 0x7f);
        if (open.size() > 4) break;
        if (b < 0x80) {
            values.push_back(valueOf(open));
            open = {};
        }
    }
    if (!open.empty()) values.push_back(-1);
    return values;
}
