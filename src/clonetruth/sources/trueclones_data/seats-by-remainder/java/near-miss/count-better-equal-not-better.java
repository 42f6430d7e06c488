int[] divide(int seats, int[] votes) {
    int n = votes.length, total = 0, left = seats;
    for (int v : votes) total += v;
    int[] result = new int[n];
    if (total == 0) return result;
    for (int v : votes) left -= v * seats / total;
    for (int i = 0; i < n; i++) {
        int better = 0;
        for (int j = 0; j < n; j++) {
            int mine = votes[i] * seats % total, other = votes[j] * seats % total;
            if (other > mine) better++;
        }
        result[i] = votes[i] * seats / total + (better < left ? 1 : 0);
    }
    return result;
}
