static size_t past(const string& s, const string& mark, size_t from) {
    size_t at = s.find(mark, from);
    return at == string::npos ? s.size() : at + mark.size();
}

static size_t pastString(const string& s, size_t from) {
    bool escaped = false;
    for (size_t i = from + 1; i < s.size(); i++) {
        if (escaped) escaped = false;
        else if (s[i] == '\\') escaped = true;
        else if (s[i] == '"') return i + 1;
    }
    return s.size();
}

string clean(string s) {
    string result;
    for (size_t i = 0; i < s.size();) {
        if (s.compare(i, 2, "/*") == 0) {
            i = past(s, "*/", i + 2);
            result += ' ';
        } else if (s.compare(i, 2, "//") == 0) {
            i = min(s.find('\n', i), s.size());
        } else {
            size_t end = s[i] == '"' ? pastString(s, i) : i + 1;
            result.append(s, i, end - i);
            i = end;
        }
    }
    return result;
}
