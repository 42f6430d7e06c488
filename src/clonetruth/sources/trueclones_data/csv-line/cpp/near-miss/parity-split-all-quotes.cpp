// A comma separates fields when the number of quotes before it is even.
static std::string unquoted(std::string raw) {
    if (raw.empty() || raw.front() != '"') return raw;
    raw = raw.substr(1, raw.size() - 2);
    for (size_t at = 0; (at = raw.find("\"\"", at)) != std::string::npos;) raw.erase(at, 1);
    return raw;
}

std::vector<std::string> fields(std::string line) {
    std::vector<std::string> out;
    bool even = true;
    size_t begin = 0;
    line += ',';
    for (size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '"') even = !even;
        if (line[i] == ',' && even) {
            out.push_back(unquoted(line.substr(begin, i - begin)));
            begin = i + 1;
        }
    }
    return out;
}
