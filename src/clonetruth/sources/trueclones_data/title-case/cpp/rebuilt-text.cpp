bool separates(char c) {
    return c == ' ' || c == '-';
}

string headline(const string &text) {
    const set<string> little{"a", "an", "and", "of", "or", "the", "to"};
    int first = 0, last = (int)text.size() - 1;
    while (first <= last && separates(text[first])) first++;
    while (last >= first && separates(text[last])) last--;
    string result, word;
    int start = 0;
    for (int i = 0; i <= (int)text.size(); i++) {
        if (i < (int)text.size() && !separates(text[i])) {
            word += (char)tolower(text[i]);
            continue;
        }
        // the word is text[start .. i - 1]
        bool atEdge = start <= first || i > last;
        if (!word.empty() && (atEdge || !little.count(word))) word[0] = toupper(word[0]);
        result += word;
        if (i < (int)text.size()) result += text[i];
        word = "";
        start = i + 1;
    }
    return result;
}
