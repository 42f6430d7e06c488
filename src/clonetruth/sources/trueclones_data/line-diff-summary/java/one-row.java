int[] diff(String[] a, String[] b) {
    int[] row = new int[b.length + 1];
    for (String line : a) {
        int diagonal = 0;
        for (int j = 1; j <= b.length; j++) {
            int above = row[j];
            row[j] = line.equals(b[j - 1]) ? diagonal + 1 : Math.max(above, row[j - 1]);
            diagonal = above;
        }
    }
    int same = row[b.length];
    return new int[] {same, a.length - same, b.length - same};
}
