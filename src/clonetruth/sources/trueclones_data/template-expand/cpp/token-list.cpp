struct Piece {
    string text;
    bool name;
};

static vector<Piece> cut(const string& s) {
    vector<Piece> pieces;
    for (size_t i = 0; i < s.size();) {
        size_t end = i + 1;
        bool brace = s[i] == '{' || s[i] == '}';
        if (brace && end < s.size() && s[end] == s[i]) {
            pieces.push_back({string(1, s[i]), false});
            i += 2;
            continue;
        }
        bool name = false;
        if (s[i] == '{') {
            size_t at = end;
            while (at < s.size() && s[at] >= 'a' && s[at] <= 'z') at++;
            name = at > end && at < s.size() && s[at] == '}';
            if (name) end = at + 1;
        }
        pieces.push_back({s.substr(i, end - i), name});
        i = end;
    }
    return pieces;
}

string render(string format, vector<string> names, vector<string> values) {
    names.resize(min(names.size(), size_t(9)));
    string out;
    for (const Piece& piece : cut(format)) {
        size_t index = names.size();
        if (piece.name)
            for (size_t i = names.size(); i-- > 0;)
                if ("{" + names[i] + "}" == piece.text) index = i;
        out += index < names.size() && index < values.size() ? values[index] : piece.text;
    }
    return out;
}
