static string letters(string name) {
    for (char& c : name) c = toupper(c);
    return name;
}

static string codeOf(string name) {
    string upper = letters(name);
    static const pair<const char*, char> kinds[] = {{"BFPV", '1'}, {"CGJKQSXZ", '2'}, {"DT", '3'}, {"L", '4'}, {"MN", '5'}, {"R", '6'}, {"HW", '-'}};
    string marks;
    for (char c : upper) {
        char mark = '.';
        for (auto& kind : kinds)
            if (string(kind.first).find(c) != string::npos) mark = kind.second;
        marks += mark;
    }
    // passes over the marks: silent letters go, then repetitions, then vowels
    if (marks[0] == '-') marks[0] = '.';
    marks.erase(remove(marks.begin(), marks.end(), '-'), marks.end());
    marks.erase(unique(marks.begin(), marks.end()), marks.end());
    marks[0] = upper[0];
    marks.erase(remove(marks.begin(), marks.end(), '.'), marks.end());
    return (marks + "000").substr(0, 4);
}

vector<int> soundIndex(vector<string> names) {
    map<string, vector<int>> places;
    for (size_t i = 0; i < names.size(); i++) places[codeOf(names[i])].push_back(i);
    vector<int> index(names.size());
    for (auto& entry : places)
        for (int i : entry.second) index[i] = entry.second[0];
    return index;
}
