vector<int> alike(vector<string> names) {
    vector<string> codes;
    for (string name : names) {
        for (char& c : name) c = tolower(c);
        string digits;
        for (size_t i = 0; i < name.size(); i++) {
            if (i && (name[i] == 'h' || name[i] == 'w')) continue;
            char d = '0';
            if (strchr("bfpv", name[i])) d = '1';
            else if (strchr("cgjkqsxz", name[i])) d = '2';
            else if (strchr("dt", name[i])) d = '3';
            else if (name[i] == 'l') d = '4';
            else if (strchr("mn", name[i])) d = '5';
            else if (name[i] == 'r') d = '6';
            digits += d;
        }
        digits.erase(unique(digits.begin(), digits.end()), digits.end());
        digits.erase(0, 1);
        digits.erase(remove(digits.begin(), digits.end(), '0'), digits.end());
        digits.resize(3, '0');
        codes.push_back(name[0] + digits);
    }
    vector<int> answer;
    for (auto& code : codes) answer.push_back(find(codes.begin(), codes.end(), code) - codes.begin());
    return answer;
}
