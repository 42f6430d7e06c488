static boolean matched(String s) {
    return skipGroup(s, 0, '\0') == s.length();
}

/** Returns the position of the bracket that ends this group, or -1 when the nesting is wrong. */
static int skipGroup(String s, int i, char closer) {
    while (i < s.length()) {
        char c = s.charAt(i);
        if (c == ')' || c == ']' || c == '}') {
            return c == closer ? i : -1;
        }
        if (c == '(' || c == '[' || c == '{') {
            char end = c == '(' ? ')' : c == '[' ? ']' : '}';
            i = skipGroup(s, i + 1, end);
            if (i < 0) return -1;
        }
        i++;
    }
    return closer == '\0' ? i : -1;
}
