static bool letterOrDigit(char c) {
    return isalnum(c) || c == '-';
}

// The end of a list of identifiers that begins at a position, or 0.
static size_t identifiers(const string& s, size_t at, bool strict, vector<string>* into) {
    while (true) {
        size_t end = at;
        bool digits = true;
        for (; end < s.size() && letterOrDigit(s[end]); end++) digits = digits && isdigit(s[end]);
        if (end == at || (strict && digits && end > at + 1 && s[at] == '0')) return 0;
        if (into) into->push_back(s.substr(at, end - at));
        if (end == s.size() || s[end] != '.') return end;
        at = end + 1;
    }
}

static bool version(const string& s, vector<int>& core, vector<string>& pre) {
    size_t at = 0;
    for (int i = 0; i < 3; i++) {
        size_t start = at;
        while (at < s.size() && isdigit(s[at])) at++;
        if (at == start || (s[start] == '0' && at > start + 1)) return false;
        core.push_back(stoi(s.substr(start, at - start)));
        if (i < 2 && (at >= s.size() || s[at++] != '.')) return false;
    }
    if (at < s.size() && s[at] == '-' && (at = identifiers(s, at + 1, true, &pre)) == 0) return false;
    if (at < s.size() && s[at] == '+' && (at = identifiers(s, at + 1, false, nullptr)) == 0) return false;
    return at == s.size();
}

int precedes(string left, string right) {
    vector<int> m, n;
    vector<string> p, q;
    if (!version(left, m, p) || !version(right, n, q)) return -2;
    if (m != n) return m > n ? 1 : -1;
    if (p.empty() || q.empty()) return int(p.empty()) - int(q.empty());
    for (size_t i = 0;; i++) {
        if (i == p.size() || i == q.size()) return int(i < p.size()) - int(i < q.size());
        if (p[i] == q[i]) continue;
        bool x = all_of(p[i].begin(), p[i].end(), ::isdigit), y = all_of(q[i].begin(), q[i].end(), ::isdigit);
        if (x && y) return stoi(p[i]) < stoi(q[i]) ? -1 : 1;
        if (x != y) return x ? -1 : 1;
        return p[i] < q[i] ? -1 : 1;
    }
}
