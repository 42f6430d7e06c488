// Numbers are bits; inner bits of a run are those whose neighbours are set as well.
string asText(vector<int> pages) {
    unsigned long long bits = 0;
    for (int page : pages) bits |= 1ULL << page;
    const unsigned long long inner = bits & (bits << 1) & (bits << 1);
    string text;
    for (int page = 0; page < 41; page++) {
        if (((bits & ~inner) >> page & 1) == 0) continue;
        const bool joined = page > 0 && (inner >> (page - 1) & 1);
        if (!text.empty()) text += joined ? "-" : ",";
        text += to_string(page);
    }
    return text;
}
