class Reader {
    const string &text;

    int hexDigit() {
        char c = text[at++];
        return isdigit(c) ? c - '0' : toupper(c) - 'A' + 10;
    }

public:
    size_t at = 0;

    explicit Reader(const string &query) : text(query) {}

    // Decodes up to one of the characters in stops, and leaves that one unread.
    string until(const char *stops) {
        string out;
        while (at < text.size() && !strchr(stops, text[at])) {
            char c = text[at++];
            if (c == '+') c = ' ';
            else if (c == '%') c = 16 * hexDigit(), c += hexDigit();
            out.push_back(c);
        }
        return out;
    }
};

string lookUp(string query, string key) {
    Reader in(query);
    for (; in.at < query.size(); in.at++) {
        string name = in.until("=&"), value;
        if (in.at < query.size() && query[in.at] == '=') {
            in.at++;
            value = in.until("&");
        }
        if (name == key) return value;
    }
    return "(none)";
}
