enum Kind { SEPARATOR, CAPITAL, SMALL, DIGIT };

static Kind kindOf(char c) {
    if (c >= 'A' && c <= 'Z') return CAPITAL;
    if (c >= 'a' && c <= 'z') return SMALL;
    return c >= '0' && c <= '9' ? DIGIT : SEPARATOR;
}

string snake(string text) {
    string out;
    Kind before = SEPARATOR;
    for (size_t i = 0; i < text.size(); i++) {
        Kind kind = kindOf(text[i]);
        Kind after = i + 1 == text.size() ? SEPARATOR : kindOf(text[i + 1]);
        if (kind != SEPARATOR) {
            bool begins = before == SEPARATOR;
            if (kind == CAPITAL) begins = before != CAPITAL || after == SMALL;
            if (begins && !out.empty()) out.push_back('_');
            out.push_back(kind == CAPITAL ? text[i] + 32 : text[i]);
        }
        before = kind;
    }
    return out;
}
