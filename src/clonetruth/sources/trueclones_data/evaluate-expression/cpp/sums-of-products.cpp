// Every level of brackets keeps a sum and a product that are not finished.
struct Level {
    int sum, product, sign;
};

int compute(string s) {
    vector<Level> open{{0, 1, 1}};
    int number = 0;
    for (char c : s + "+") {
        Level& top = open.back();
        switch (c) {
            case '(':
                open.push_back({0, 1, 1});
                break;
            case ')':
                number = top.sum + top.sign * top.product * number;
                open.pop_back();
                break;
            case '*':
                top.product *= number;
                number = 0;
                break;
            case '+':
            case '-':
                top.sum += top.sign * top.product * number;
                top.product = 1;
                top.sign = c == '-' ? -1 : 1;
                number = 0;
                break;
            default:
                number = number * 10 + (c - '0');
        }
    }
    return open[0].sum;
}
