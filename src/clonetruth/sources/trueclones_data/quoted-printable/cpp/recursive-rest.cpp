static vector<int> rest(const string& s, size_t at) {
    if (at >= s.size()) return {};
    vector<int> found;
    size_t used = 1;
    if (s.compare(at, 2, "=\n") == 0) {
        used = 2;
    } else {
        static const string digits = "0123456789ABCDEF";
        size_t high = string::npos, low = string::npos;
        if (s[at] == '=' && at + 2 < s.size()) {
            high = digits.find(toupper(s[at + 1]));
            low = digits.find(toupper(s[at + 2]));
        }
        if (high != string::npos && low != string::npos) {
            found.push_back(high * 16 + low);
            used = 3;
        } else {
            found.push_back(s[at]);
        }
    }
    vector<int> others = rest(s, at + used);
    found.insert(found.end(), others.begin(), others.end());
    return found;
}

vector<int> values(string text) {
    text += '\n';
    for (size_t at; (at = text.find(" \n")) != string::npos;) text.erase(at, 1);
    text.pop_back();
    return rest(text, 0);
}
