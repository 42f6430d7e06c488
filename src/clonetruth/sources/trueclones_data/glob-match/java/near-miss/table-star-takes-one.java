boolean globMatches(String pattern, String path) {
    int m = pattern.length(), n = path.length();
    boolean[][] ok = new boolean[m + 1][n + 1];
    ok[0][0] = true;
    for (int i = 1; i <= m; i++) {
        char p = pattern.charAt(i - 1);
        for (int j = 0; j <= n; j++) {
            boolean slash = j > 0 && path.charAt(j - 1) == '/';
            if (p == '*') {
                ok[i][j] = ok[i - 1][j] || (j > 0 && !slash && ok[i - 1][j - 1]);
            } else if (j > 0 && ok[i - 1][j - 1]) {
                ok[i][j] = p == '?' ? !slash : p == path.charAt(j - 1);
            }
        }
    }
    return ok[m][n];
}
