static string stretched(const string& line, size_t width) {
    size_t gaps = count(line.begin(), line.end(), ' ');
    if (gaps == 0) return line;
    size_t missing = width - line.size(), seen = 0;
    string out;
    for (char c : line) {
        out += c;
        if (c != ' ') continue;
        out.append(missing / gaps + (seen < missing % gaps), ' ');
        seen++;
    }
    return out;
}

vector<string> blockText(string text, int width) {
    vector<string> lines;
    istringstream words(text);
    string word;
    while (words >> word) {
        if (lines.empty() || lines.back().size() + word.size() >= (size_t)width) lines.push_back(word);
        else lines.back() += " " + word;
    }
    for (size_t i = 0; i + 1 < lines.size(); i++) lines[i] = stretched(lines[i], width);
    return lines;
}
