int[][] cut(int[] values, int parts) {
    int[][] out = new int[parts][];
    for (int p = 0; p < parts; p++) {
        out[p] = Arrays.copyOfRange(values, start(values.length, parts, p), start(values.length, parts, p + 1));
    }
    return out;
}

// the first chunks are longer, so there are min(p, remainder) extra numbers before chunk p
private int start(int n, int parts, int p) {
    return p * (n / parts) + (p == parts ? n % parts : 0);
}
