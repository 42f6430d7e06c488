bool matches(string pattern, string path) {
    vector<bool> row(path.size() + 1, false);
    row[0] = true;
    for (char want : pattern) {
        if (want == '*') {
            // spread to the right up to the next slash
            for (size_t i = 0; i < path.size(); i++)
                if (row[i] && path[i] != '/') row[i + 1] = true;
            continue;
        }
        for (size_t i = path.size(); i > 0; i--) {
            char have = path[i - 1];
            row[i] = row[i - 1] && (want == have || (want == '?' && have != '/'));
        }
        row[0] = false;
    }
    return row.back();
}
