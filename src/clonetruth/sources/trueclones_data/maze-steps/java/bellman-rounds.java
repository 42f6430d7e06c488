int relax(String[] rows) {
    int w = rows[0].length(), n = rows.length * w, far = 1000;
    StringBuilder all = new StringBuilder();
    for (String row : rows) all.append((row + "######").substring(0, w));
    int[] cost = new int[n];
    Arrays.fill(cost, far);
    cost[0] = all.charAt(0) == '#' ? far : 0;
    boolean changed = true;
    while (changed) {
        changed = false;
        for (int a = 0; a < n; a++) {
            for (int b = 0; b < n; b++) {
                if (all.charAt(a) == '#' || all.charAt(b) == '#' || cost[a] + 1 >= cost[b]) continue;
                boolean sideways = Math.abs(a - b) == 1 && a / w == b / w;
                boolean door = all.charAt(a) != '.' && all.charAt(a) == all.charAt(b);
                if (sideways || Math.abs(a - b) == w || door) {
                    cost[b] = cost[a] + 1;
                    changed = true;
                }
            }
        }
    }
    return cost[n - 1] == far ? -1 : cost[n - 1];
}
