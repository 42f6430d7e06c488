static string cased(string word, bool small) {
    for (char& c : word) c = tolower(c);
    static const string kept = " a an and of or the to ";
    if (small && kept.find(" " + word + " ") != string::npos) return word;
    word[0] = toupper(word[0]);
    return word;
}

string title(string text) {
    vector<string> parts(1);  // words and separators in turn
    for (char c : text) {
        if (c == ' ' || c == '-') {
            parts.push_back(string(1, c));
            parts.push_back("");
        } else {
            parts.back() += c;
        }
    }
    int first = -1, last = -1;
    for (int i = 0; i < (int)parts.size(); i += 2) {
        if (parts[i].empty()) continue;
        if (first < 0) first = i;
        last = i;
    }
    string out;
    for (int i = 0; i < (int)parts.size(); i++) {
        bool word = i % 2 == 0 && !parts[i].empty();
        out += word ? cased(parts[i], i != first && i != last) : parts[i];
    }
    return out;
}
