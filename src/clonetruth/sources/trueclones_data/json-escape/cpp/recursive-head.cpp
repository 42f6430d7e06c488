static string four(unsigned n) {
    char text[7];
    sprintf(text, "\\u%04x", n & 0xFFFF);
    return text;
}

// The first character, then the others.
static string body(const string& s, size_t at) {
    if (at == s.size()) return "";
    unsigned char c = s[at];
    if (c < 0x80) {
        string form(1, c);
        if (c == '"' || c == '\\') form = "\\" + form;
        else if (c == '\n') form = "\\n";
        else if (c == '\t') form = "\\t";
        else if (c == '\r') form = "\\r";
        else if (c == '\b') form = "\\b";
        else if (c == '\f') form = "\\f";
        else if (c < 32 || c == 127) form = four(c);
        return form + body(s, at + 1);
    }
    size_t next = at + 1;
    while (next < s.size() && (s[next] & 0xC0) == 0x80) next++;
    unsigned code = c & (0xFF >> (next - at + 1));
    for (size_t i = at + 1; i < next; i++) code = code << 6 | (s[i] & 63);
    string form = code < 0x10000 ? four(code) : four(0xD800 | (code - 0x10000) >> 10) + four(0xDC00 | (code & 1023));
    return form + body(s, next);
}

string asJson(string text) {
    return '"' + body(text, 0) + '"';
}
