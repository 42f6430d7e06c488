static char letter(int six, bool url) {
    const char* last = url ? "-_" : "+/";
    if (six >= 62) return last[six - 62];
    return "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"[six];
}

// The text of the bytes from a position on.
static string triples(const vector<int>& data, size_t at, bool url) {
    size_t left = data.size() - at;
    if (left == 0) return "";
    int a = data[at], b = left > 1 ? data[at + 1] : 0, c = left > 2 ? data[at + 2] : 0;
    string four = {letter(a >> 2, url), letter((a & 3) << 4 | b >> 4, url), letter((b & 15) << 2 | c >> 6, url), letter(c & 63, url)};
    if (left >= 3) return four + triples(data, at + 3, url);
    four.resize(left + 1);
    return url ? four : four + string(3 - left, '=');
}

string armour(vector<int> data, bool url) {
    return triples(data, 0, url);
}
