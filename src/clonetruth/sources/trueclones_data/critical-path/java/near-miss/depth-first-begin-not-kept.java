static int finish(int[] durations, int[][] before) {
    int[] memo = new int[before.length];
    Arrays.fill(memo, -2);
    int latest = 0;
    for (int task = 0; task < before.length; task++) latest = Math.max(latest, end(task, durations, before, memo));
    return latest;
}

/** The end of a task; -1 if it never begins, which also holds while it is looked for. */
private static int end(int task, int[] durations, int[][] before, int[] memo) {
    if (memo[task] != -2) return memo[task];
    memo[task] = -1;
    int begin = 0;
    for (int one : before[task]) {
        int previous = end(one, durations, before, memo);
        if (previous < 0) return -1;
        begin = previous;
    }
    return memo[task] = begin + durations[task];
}
