int[] groups(List<String> names) {
    int n = names.size();
    int[] codes = new int[n];
    int[] answer = new int[n];
    for (int i = 0; i < n; i++) {
        codes[i] = pack(names.get(i).toLowerCase());
        while (codes[answer[i]] != codes[i]) answer[i]++;
    }
    return answer;
}

/** The first letter and three digits as one number. */
private int pack(String name) {
    int packed = name.charAt(0), digits = 0, last = digit(name.charAt(0));
    for (int k = 1; k < name.length() && digits < 3; k++) {
        char c = name.charAt(k);
        int d = digit(c);
        if (d > 0 && d != last) {
            packed = packed * 7 + d;
            digits++;
        }
        if (d != 0) last = d;
    }
    for (; digits < 3; digits++) packed *= 7;
    return packed;
}

private int digit(char c) {
    switch (c) {
        case 'b': case 'f': case 'p': case 'v': return 1;
        case 'd': case 't': return 3;
        case 'l': return 4;
        case 'm': case 'n': return 5;
        case 'r': return 6;
        case 'a': case 'e': case 'i': case 'o': case 'u': case 'y': case 'h': case 'w': return 0;
        default: return 2;
    }
}
