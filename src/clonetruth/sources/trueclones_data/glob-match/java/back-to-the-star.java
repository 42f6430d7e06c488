public static boolean fits(String glob, String name) {
    int g = 0, n = 0;
    int star = -1;      // where the last star is
    int resume = -1;    // what that star has not taken yet
    while (n < name.length()) {
        char next = name.charAt(n);
        if (g < glob.length() && glob.charAt(g) == '*') {
            star = g++;
            resume = n;
        } else if (g < glob.length() && (glob.charAt(g) == next || glob.charAt(g) == '?' && next != '/')) {
            g++;
            n++;
        } else if (star >= 0 && name.charAt(resume) != '/') {
            g = star + 1;
            n = ++resume;
        } else {
            return false;
        }
    }
    while (g < glob.length() && glob.charAt(g) == '*') g++;
    return g == glob.length();
}
