// Reads a version character by character into a key that compares as the version does.
class Parser {
    const string &s;
    size_t i = 0;

    bool accept(char c) {
        if (i < s.size() && s[i] == c) {
            i++;
            return true;
        }
        return false;
    }

    bool number(long &value) {
        size_t start = i;
        for (value = 0; i < s.size() && isdigit(s[i]); i++) value = value * 10 + (s[i] - '0');
        return i == start + 1 || (i > start && s[start] != '0');
    }

    bool identifier(string &word) {
        word.clear();
        while (i < s.size() && (isalnum(s[i]) || s[i] == '-')) word += s[i++];
        return !word.empty();
    }

public:
    Parser(const string &text) : s(text) {}

    // (kind, number, word): kind 1 is a number, 2 a word, 3 stands for no pre-release
    bool parse(vector<tuple<int, long, string>> &key) {
        long value;
        string word;
        for (int part = 0; part < 3; part++) {
            if ((part > 0 && !accept('.')) || !number(value)) return false;
            key.emplace_back(1, value, "");
        }
        if (accept('-')) {
            do {
                if (!identifier(word)) return false;
                if (word.find_first_not_of("0123456789") != string::npos) {
                    key.emplace_back(2, 0, word);
                    continue;
                }
                if (word.size() > 1 && word[0] == '0') return false;
                key.emplace_back(1, stol(word), "");
            } while (accept('.'));
        } else {
            key.emplace_back(3, 0, "");
        }
        if (accept('+')) {
            do {
                if (!identifier(word)) return false;
            } while (accept('.'));
        }
        return true;
    }
};

int precedence(string left, string right) {
    vector<tuple<int, long, string>> a, b;
    if (!Parser(left).parse(a) || !Parser(right).parse(b)) return -2;
    if (a == b) return 0;
    return a < b ? -1 : 1;
}
