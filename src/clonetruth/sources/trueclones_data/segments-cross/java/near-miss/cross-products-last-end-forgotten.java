static boolean meet(int[] first, int[] second) {
    int d1 = cross(first, second[0], second[1]);
    int d2 = cross(first, second[2], second[3]);
    int d3 = cross(second, first[0], first[1]);
    int d4 = cross(second, first[2], first[3]);
    if (Integer.signum(d1) * Integer.signum(d2) < 0 && Integer.signum(d3) * Integer.signum(d4) < 0) return true;
    return d1 == 0 && within(first, second[0], second[1])
            || d2 == 0 && within(first, second[2], second[3])
            || d3 == 0 && within(second, first[0], first[1])
            || d4 == 0 && within(second, first[0], first[1]);
}

private static int cross(int[] s, int x, int y) {
    return (s[2] - s[0]) * (y - s[1]) - (s[3] - s[1]) * (x - s[0]);
}

private static boolean within(int[] s, int x, int y) {
    return Math.min(s[0], s[2]) <= x && x <= Math.max(s[0], s[2])
            && Math.min(s[1], s[3]) <= y && y <= Math.max(s[1], s[3]);
}
