// The operator that is applied last splits the text: the rightmost + or - outside of brackets, else the rightmost *.
int eval(String e) {
    int at = last(e, "+-");
    if (at < 0) at = last(e, "*");
    if (at < 0) {
        return e.startsWith("(") ? eval(e.substring(1, e.length() - 1)) : Integer.parseInt(e);
    }
    int a = eval(e.substring(0, at));
    int b = eval(e.substring(at + 1));
    switch (e.charAt(at)) {
        case '+': return a + b;
        case '-': return a - b;
        default: return a * b;
    }
}

int last(String e, String operators) {
    int depth = 0;
    for (int i = e.length() - 1; i >= 0; i--) {
        char c = e.charAt(i);
        if (c == ')') depth++;
        else if (c == '(') depth--;
        else if (depth == 0 && operators.indexOf(c) >= 0) return i;
    }
    return -1;
}
