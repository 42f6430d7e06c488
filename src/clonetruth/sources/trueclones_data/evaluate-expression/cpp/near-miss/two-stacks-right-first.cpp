static void reduce(std::vector<int>& values, std::vector<char>& operators) {
    int right = values.back();
    values.pop_back();
    switch (operators.back()) {
        case '+': values.back() += right; break;
        case '-': values.back() -= right; break;
        case '*': values.back() *= right; break;
    }
    operators.pop_back();
}

static int rank(char op) { return op == '*' ? 2 : op == '(' ? 0 : 1; }

// Shunting yard: operators wait until one of a lower rank, or the end, comes.
int calc(std::string s) {
    std::vector<int> values;
    std::vector<char> operators;
    s = "(" + s + ")";
    for (size_t i = 0; i < s.size(); i++) {
        if (isdigit(s[i])) {
            int n = 0;
            for (; isdigit(s[i]); i++) n = 10 * n + s[i] - '0';
            values.push_back(n);
            i--;
        } else if (s[i] == '(') {
            operators.push_back('(');
        } else if (s[i] == ')') {
            while (operators.back() != '(') reduce(values, operators);
            operators.pop_back();
        } else {
            while (rank(operators.back()) > rank(s[i])) reduce(values, operators);
            operators.push_back(s[i]);
        }
    }
    return values.back();
}
