static vector<int> numbers(const string& text) {
    vector<int> found;
    bool inside = false;
    for (char c : text) {
        if (!isdigit(c)) {
            inside = false;
            continue;
        }
        if (!inside) found.push_back(0);
        found.back() = found.back() * 10 + c - '0';
        inside = true;
    }
    return found;
}

static bool condition(const vector<int>& have, string one) {
    vector<int> want = numbers(one);
    int first = 0;  // the first place that differs
    while (first < 3 && have[first] == want[first]) first++;
    bool later = first < 3 && have[first] > want[first];
    if (one[0] == '<') return first < 3 && !later;
    if (first == 3) return true;
    if (one[0] == '>') return later;
    if (one[0] == '~') return later && first == 2;
    if (one[0] != '^') return false;
    int leading = 0;
    while (leading < 2 && want[leading] == 0) leading++;
    return later && first > leading;
}

bool allowed(string version, string range) {
    vector<int> have = numbers(version);
    size_t cut = range.find_first_of(" |");
    if (cut == string::npos) return condition(have, range);
    string left = range.substr(0, cut), right = range.substr(range.find_last_of(" |") + 1);
    bool a = condition(have, left), b = condition(have, right);
    return range[cut] == ' ' ? a && b : a || b;
}
