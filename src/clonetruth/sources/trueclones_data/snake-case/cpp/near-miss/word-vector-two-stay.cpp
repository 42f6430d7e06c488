string convert(string text) {
    vector<string> words;
    string word;
    auto finish = [&] {
        if (word.size()) words.push_back(word);
        word.clear();
    };
    for (char c : text + ' ') {
        bool capital = c >= 'A' && c <= 'Z', small = c >= 'a' && c <= 'z';
        if (c == ' ' || c == '_' || c == '-') {
            finish();
            continue;
        }
        size_t n = word.size();
        bool endsInCapital = n && word[n - 1] <= 'Z' && word[n - 1] >= 'A';
        if (capital && !endsInCapital) finish();
        if (small && endsInCapital && n > 2) {
            // that capital letter belongs to this word
            char first = word.back();
            word.pop_back();
            finish();
            word = first;
        }
        word += c;
    }
    string result;
    for (const string& w : words) result += "_" + w;
    for (char& c : result) c = tolower(c);
    return result.empty() ? result : result.substr(1);
}
