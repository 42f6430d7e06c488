vector<string> layout(string text, int width) {
    vector<string> lines;
    size_t at = 0;
    string line;
    while (true) {
        at = text.find_first_not_of(' ', at);
        if (at == string::npos) break;
        size_t end = min(text.find(' ', at), text.size());
        string word = text.substr(at, end - at);
        at = end;
        if (line.empty()) {
            line = word;
        } else if (line.size() + word.size() < (size_t)width) {
            line += ' ' + word;
        } else {
            // one space after the other, from gap to gap
            size_t place = 0;
            while (line.find(' ') != string::npos && line.size() < (size_t)width) {
                place = line.find(' ', place);
                if (place == string::npos) {
                    place = 0;
                    continue;
                }
                line.insert(place, 1, ' ');
                place = line.find_first_not_of(' ', place);
            }
            lines.push_back(line);
            line = word;
        }
    }
    if (!line.empty()) lines.push_back(line);
    return lines;
}
