static String title(String s) {
    char[] c = s.toCharArray();
    int previousStart = -1;
    boolean first = true;
    int i = 0;
    while (i < c.length) {
        if (c[i] == ' ' || c[i] == '-') {
            i++;
            continue;
        }
        int start = i;
        while (i < c.length && c[i] != ' ' && c[i] != '-') {
            c[i] = Character.toLowerCase(c[i]);
            i++;
        }
        if (first || !new String(c, start, i - start).matches("an?|and|o[fr]|the|to")) {
            c[start] = Character.toUpperCase(c[start]);
        }
        first = false;
        previousStart = start;
    }
    // the last word has a capital letter in any case
    if (previousStart >= 0) c[previousStart] = Character.toUpperCase(c[previousStart]);
    return new String(c);
}
