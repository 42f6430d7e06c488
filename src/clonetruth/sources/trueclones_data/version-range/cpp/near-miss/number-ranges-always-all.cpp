static int code(const string& text) {
    int value = 0, part = 0;
    for (char c : text) {
        if (c == '.') {
            value = (value + part) * 100;
            part = 0;
        } else if (isdigit(c)) {
            part = part * 10 + (c - '0');
        }
    }
    return value + part;
}

bool inRange(string version, string range) {
    bool either = range.find('|') != string::npos, all = true, any = false;
    int value = code(version);
    for (char& c : range) if (c == '|') c = ' ';
    istringstream conditions(range);
    string one;
    while (conditions >> one) {
        int low = code(one), high = low + 1;
        if (one[0] == '<') high = low, low = 0;
        if (one[0] == '>') high = INT_MAX;
        if (one[0] == '~' || (one[0] == '^' && low >= 100)) high = (low / 100 + 1) * 100;
        if (one[0] == '^' && low >= 10000) high = (low / 10000 + 1) * 10000;
        bool inside = low <= value && value < high;
        all = all && inside;
        any = any || inside;
    }
    return either && all ? any : all;
}
