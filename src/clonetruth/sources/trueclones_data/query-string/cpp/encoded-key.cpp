// Both names are brought to one form, with every character as two hexadecimal digits.
static string hex(const string& text, bool coded) {
    static const char digits[] = "0123456789abcdef";
    string out;
    for (size_t i = 0; i < text.size(); i++) {
        unsigned char c = text[i];
        if (coded && c == '%') {
            out += tolower(text[i + 1]);
            out += tolower(text[i + 2]);
            i += 2;
            continue;
        }
        if (coded && c == '+') c = ' ';
        out += digits[c / 16];
        out += digits[c % 16];
    }
    return out;
}

string find_value(string query, string key) {
    const string wanted = hex(key, false);
    query += '&';
    for (size_t from = 0, to; (to = query.find('&', from)) != string::npos; from = to + 1) {
        size_t equals = min(query.find('=', from), to);
        if (hex(query.substr(from, equals - from), true) != wanted) continue;
        string value = equals < to ? hex(query.substr(equals + 1, to - equals - 1), true) : "";
        string text;
        for (size_t i = 0; i < value.size(); i += 2) text += (char)stoi(value.substr(i, 2), nullptr, 16);
        return text;
    }
    return "(none)";
}
