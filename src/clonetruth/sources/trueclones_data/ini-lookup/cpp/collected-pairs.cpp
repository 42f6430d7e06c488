static string trimmed(string s) {
    size_t first = s.find_first_not_of(' ');
    return first == string::npos ? "" : s.substr(first, s.find_last_not_of(' ') + 1 - first);
}

string find_value(vector<string> lines, string section, string key) {
    // all keys as section, key and value; the section of those in front has no name that can be asked for
    vector<array<string, 3>> entries;
    string current = "\n";
    for (string& line : lines) line = trimmed(line);
    lines.erase(remove_if(lines.begin(), lines.end(), [](const string& l) { return l.empty() || l[0] == ';' || l[0] == '#'; }), lines.end());
    for (const string& line : lines) {
        size_t n = line.size(), equals = line.find('=');
        if (line[0] == '[' && line[n - 1] == ']') current = trimmed(line.substr(1, n - 2));
        else if (equals < n) entries.push_back({current, trimmed(line.substr(0, equals)), trimmed(line.substr(equals + 1))});
    }
    auto last = find_if(entries.rbegin(), entries.rend(), [&](const array<string, 3>& e) { return e[0] == section && e[1] == key; });
    return last == entries.rend() ? "(missing)" : (*last)[2];
}
