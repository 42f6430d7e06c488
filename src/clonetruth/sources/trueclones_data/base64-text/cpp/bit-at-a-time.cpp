static char symbol(int v, bool url) {
    if (v < 26) return 'A' + v;
    if (v < 52) return 'a' + (v - 26);
    if (v < 62) return '0' + (v - 52);
    return v == 62 ? (url ? '-' : '+') : (url ? '_' : '/');
}

string base64(vector<int> data, bool url) {
    string out;
    int six = 0, filled = 0;
    for (int byte : data) {
        for (int bit = 7; bit >= 0; bit--) {
            six = six * 2 + (byte >> bit & 1);
            if (++filled == 6) {
                out += symbol(six, url);
                six = filled = 0;
            }
        }
    }
    if (filled > 0) out += symbol(six << (6 - filled), url);
    if (!url) out.append((4 - out.size() % 4) % 4, '=');
    return out;
}
