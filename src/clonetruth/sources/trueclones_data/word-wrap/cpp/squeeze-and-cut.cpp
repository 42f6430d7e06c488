vector<string> wrapText(string text, int width) {
    // First one space between words and none around them, then cuts.
    string clean;
    for (char c : text) {
        if (c == ' ' && (clean.empty() || clean.back() == ' ')) continue;
        clean += c;
    }
    if (!clean.empty() && clean.back() == ' ') clean.pop_back();

    vector<string> lines;
    while (!clean.empty()) {
        if ((int)clean.size() <= width) {
            lines.push_back(clean);
            break;
        }
        size_t cut = clean.rfind(' ', width);
        if (cut == string::npos) cut = clean.find(' ');
        lines.push_back(clean.substr(0, cut));
        clean = cut == string::npos ? "" : clean.substr(cut + 1);
    }
    return lines;
}
