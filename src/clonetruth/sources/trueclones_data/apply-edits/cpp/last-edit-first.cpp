// Looks for the last edit of each line from the end of the list.
vector<string> changed(vector<string> lines, vector<string> edits) {
    vector<string> out;
    int n = lines.size();
    for (int i = 0; i <= n; i++) {
        auto own = find_if(edits.rbegin(), edits.rend(), [&](const string& e) { return e[0] - '0' == i && e[1] != '+'; });
        if (i > 0) {
            if (own == edits.rend()) out.push_back(lines[i - 1]);
            else if ((*own)[1] == '=') out.push_back(own->substr(2));
        }
        for (auto& e : edits)
            if (e[0] - '0' == i && e[1] == '+') out.push_back(e.substr(2));
    }
    return out;
}
