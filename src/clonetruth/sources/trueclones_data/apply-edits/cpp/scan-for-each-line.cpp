vector<string> patch(vector<string> lines, vector<string> edits) {
    vector<string> out;
    for (size_t number = 0; number <= lines.size(); number++) {
        bool keep = number > 0;
        string text = keep ? lines[number - 1] : "";
        vector<string> behind;
        for (const string& edit : edits) {
            if (edit[0] != char('0' + number)) continue;
            switch (edit[1]) {
                case '+':
                    behind.push_back(edit.substr(2));
                    break;
                case '-':
                    keep = false;
                    break;
                default:
                    keep = number > 0;
                    text = edit.substr(2);
            }
        }
        if (keep) out.push_back(text);
        for (const string& line : behind) out.push_back(line);
    }
    return out;
}
