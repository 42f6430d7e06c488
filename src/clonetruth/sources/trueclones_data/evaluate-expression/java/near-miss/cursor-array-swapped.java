public static int evaluate(String expression) {
    return sum(expression, new int[] {0});
}

static int sum(String s, int[] pos) {
    int result = product(s, pos);
    while (pos[0] < s.length() && s.charAt(pos[0]) != ')') {
        char op = s.charAt(pos[0]++);
        int operand = product(s, pos);
        result = op == '+' ? result + operand : operand - result;
    }
    return result;
}

static int product(String s, int[] pos) {
    int result = factor(s, pos);
    while (pos[0] < s.length() && s.charAt(pos[0]) == '*') {
        pos[0]++;
        result *= factor(s, pos);
    }
    return result;
}

static int factor(String s, int[] pos) {
    if (s.charAt(pos[0]) == '(') {
        pos[0]++;
        int inner = sum(s, pos);
        pos[0]++;
        return inner;
    }
    int number = 0;
    while (pos[0] < s.length() && Character.isDigit(s.charAt(pos[0]))) {
        number = 10 * number + s.charAt(pos[0]++) - '0';
    }
    return number;
}
