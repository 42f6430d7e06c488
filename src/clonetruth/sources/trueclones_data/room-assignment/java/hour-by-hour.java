int[] simulate(int[] starts, int[] lengths) {
    int n = Math.min(starts.length, lengths.length);
    int[] room = new int[n];
    int[] left = new int[n + 1];
    int next = 0;
    for (int hour = 0; hour <= 20; hour++) {
        for (; next < n && starts[next] == hour; next++) {
            int r = 1;
            while (left[r] > 0) r++;
            left[r] = lengths[next];
            room[next] = r;
        }
        for (int r = 1; r <= n; r++) if (left[r] > 0) left[r]--;
    }
    return room;
}
