// Tries 0, 1, 2, ... edits; a word of eight letters needs few.
static int fewestEdits(String s, String t) {
    int budget = 0;
    while (!within(s, 0, t, 0, budget)) {
        budget++;
    }
    return budget;
}

static boolean within(String s, int i, String t, int j, int budget) {
    while (i < s.length() && j < t.length() && s.charAt(i) == t.charAt(j)) {
        i++;
        j++;
    }
    int left = s.length() - i, right = t.length() - j;
    if (left == 0 && right == 0) return true;
    if (Math.abs(left - right) > budget || budget == 0) return false;
    if (left > 0 && within(s, i + 1, t, j, budget - 1)) return true;
    if (right > 0 && within(s, i, t, j + 1, budget - 1)) return true;
    if (left > 0 && right > 0 && within(s, i + 1, t, j + 1, budget - 1)) return true;
    boolean crossed = left > 1 && right > 1 && s.charAt(i) == t.charAt(j + 1) && s.charAt(i + 1) == t.charAt(j);
    return crossed && within(s, i + 2, t, j + 2, budget - 1);
}
