struct Entry {
    char kind;  // 's' for a section, 'k' for a key, ' ' for anything else
    std::string name, value;
};

static void strip(std::string& s) {
    while (!s.empty() && s.back() == ' ') s.pop_back();
    s.erase(0, std::min(s.find_first_not_of(' '), s.size()));
}

static Entry parse(std::string line) {
    strip(line);
    Entry entry{' ', "", ""};
    size_t equals = line.find('=');
    if (line.empty() || std::string(";#").find(line[0]) != std::string::npos) return entry;
    if (line[0] == '[' && line[line.size() - 1] == ']') {
        entry.kind = 's';
        entry.name = line.substr(1, line.size() - 2);
    } else if (equals < line.size()) {
        entry.kind = 'k';
        entry.name = line.substr(0, equals);
        entry.value = line.substr(equals + 1);
    }
    strip(entry.name);
    strip(entry.value);
    return entry;
}

// From the end: remember the first match until its section is known.
std::string value_of(std::vector<std::string> lines, std::string section, std::string key) {
    bool pending = false;
    std::string value;
    for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
        Entry entry = parse(*line);
        if (entry.kind == 'k' && entry.name == key && !pending) {
            pending = true;
            value = entry.value;
        } else if (entry.kind == 's') {
            if (pending && entry.name == section) return value;
            pending = pending && entry.name != section;
        }
    }
    return "(missing)";
}
