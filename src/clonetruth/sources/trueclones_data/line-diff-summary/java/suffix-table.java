public static int[] summarize(List<String> before, List<String> after) {
    int[][] common = new int[before.size() + 1][after.size() + 1];
    for (int i = before.size() - 1; i >= 0; i--) {
        for (int j = after.size() - 1; j >= 0; j--) {
            common[i][j] = before.get(i).equals(after.get(j))
                    ? common[i + 1][j + 1] + 1
                    : Math.max(common[i + 1][j], common[i][j + 1]);
        }
    }
    int kept = 0, deleted = 0, inserted = 0;
    int i = 0, j = 0;
    while (i < before.size() || j < after.size()) {
        if (i < before.size() && j < after.size() && before.get(i).equals(after.get(j))) {
            kept++;
            i++;
            j++;
        } else if (j == after.size() || i < before.size() && common[i + 1][j] >= common[i][j + 1]) {
            deleted++;
            i++;
        } else {
            inserted++;
            j++;
        }
    }
    return new int[] {kept, deleted, inserted};
}
