vector<string> broken(string text, int width) {
    vector<string> lines;
    string line, word;
    text += ' ';
    for (char c : text) {
        if (c != ' ') {
            word += c;
            continue;
        }
        if (word.empty()) continue;
        bool fits = (int)(line.size() + word.size()) + 1 <= width;
        if (!line.empty() && !fits) {
            lines.push_back(line);
            line.clear();
        }
        if (!line.empty()) line += ' ';
        line += word;
        word.clear();
    }
    if (!line.empty()) lines.push_back(line);
    return lines;
}
