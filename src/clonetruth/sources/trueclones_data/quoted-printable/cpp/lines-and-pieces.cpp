static void addLine(const string& line, vector<int>& out) {
    size_t from = 0;
    while (from < line.size()) {
        size_t equals = line.find('=', from);
        for (; from < min(equals, line.size()); from++) out.push_back(line[from]);
        if (equals == string::npos) return;
        string two = line.substr(equals + 1, 2);
        if (two.size() == 2 && isxdigit(two[0]) && isxdigit(two[1])) {
            out.push_back(strtol(two.c_str(), nullptr, 16));
            from += 3;
        } else {
            out.push_back('=');
            from++;
        }
    }
}

vector<int> bytes(string text) {
    vector<string> lines(1);
    for (char c : text) {
        if (c == '\n') lines.push_back("");
        else lines.back() += c;
    }
    vector<int> result;
    for (size_t n = 0; n < lines.size(); n++) {
        string line = lines[n];
        while (!line.empty() && line.back() == ' ') line.pop_back();
        bool last = n + 1 == lines.size();
        bool soft = !last && !line.empty() && line.back() == '=';
        if (soft) line.pop_back();
        addLine(line, result);
        if (!last && !soft) result.push_back('\n');
    }
    return result;
}
