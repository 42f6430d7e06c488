vector<int> summary(vector<string> a, vector<string> b) {
    const int n = a.size(), m = b.size(), offset = n + m + 1;
    // reach[offset + k]: how far into a one gets on the diagonal k = x - y
    vector<int> reach(2 * offset + 1, 0);
    for (int edits = 0; edits <= n + m; edits++) {
        for (int k = -edits; k <= edits; k += 2) {
            int *here = &reach[offset + k];
            bool down = k == -edits || (k != edits && here[-1] < here[1]);
            int x = down ? here[1] : here[-1] + 1;
            int y = x - k;
            if (x < n && y < m && a[x] == b[y]) x++, y++;
            *here = x;
            if (x >= n && y >= m) {
                int same = (n + m - edits) / 2;
                return {same, n - same, m - same};
            }
        }
    }
    return {};
}
