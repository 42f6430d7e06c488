static int compareRuns(const string& a, size_t& i, const string& b, size_t& j) {
    // leading zeros first, then the longer number is the larger one
    while (i < a.size() && a[i] == '0') i++;
    while (j < b.size() && b[j] == '0') j++;
    size_t m = i, n = j;
    while (m < a.size() && isdigit(a[m])) m++;
    while (n < b.size() && isdigit(b[n])) n++;
    int order = m - i != n - j ? int(m - i) - int(n - j) : a.compare(i, m - i, b, j, n - j);
    i = m;
    j = n;
    return order;
}

static bool greater_name(const string& a, const string& b) {
    size_t i = 0, j = 0;
    while (i < a.size() && j < b.size()) {
        int order = isdigit(a[i]) && isdigit(b[j]) ? compareRuns(a, i, b, j) : a[i++] - b[j++];
        if (order != 0) return order > 0;
    }
    return i < a.size();
}

vector<string> arrange(vector<string> names) {
    for (size_t end = names.size(); end > 1; end--)
        for (size_t k = 1; k < end; k++)
            if (greater_name(names[k - 1], names[k])) swap(names[k - 1], names[k]);
    return names;
}
