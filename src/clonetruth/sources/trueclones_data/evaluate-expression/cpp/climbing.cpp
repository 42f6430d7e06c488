#include <string>

static int rankOf(char c) {
    return c == '*' ? 2 : c == '+' || c == '-' ? 1 : 0;
}

// Reads an operand and all operators behind it that bind at least as strongly as the rank.
static int climb(const std::string& s, std::size_t& at, int rank) {
    int left = 0;
    if (s[at] == '(') {
        left = climb(s, ++at, 1);
        ++at;
    } else {
        while (at < s.size() && s[at] >= '0' && s[at] <= '9') left = left * 10 + s[at++] - '0';
    }
    while (at < s.size() && rankOf(s[at]) >= rank) {
        const char op = s[at++];
        const int right = climb(s, at, rankOf(op) + 1);
        if (op == '*') left *= right;
        if (op == '+') left += right;
        if (op == '-') left -= right;
    }
    return left;
}

int valueOf(const std::string& expression) {
    std::size_t at = 0;
    return climb(expression, at, 1);
}
