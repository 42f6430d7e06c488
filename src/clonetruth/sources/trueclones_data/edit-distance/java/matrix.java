public static int editDistance(String a, String b) {
    int[][] dp = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
        for (int j = 0; j <= b.length(); j++) {
            if (i == 0 || j == 0) {
                dp[i][j] = i + j;
                continue;
            }
            int substitution = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
            int best = dp[i - 1][j - 1] + substitution;
            best = Math.min(best, dp[i - 1][j] + 1);
            best = Math.min(best, dp[i][j - 1] + 1);
            if (i >= 2 && j >= 2 && a.charAt(i - 2) == b.charAt(j - 1) && a.charAt(i - 1) == b.charAt(j - 2)) {
                best = Math.min(best, dp[i - 2][j - 2] + 1);
            }
            dp[i][j] = best;
        }
    }
    return dp[a.length()][b.length()];
}
