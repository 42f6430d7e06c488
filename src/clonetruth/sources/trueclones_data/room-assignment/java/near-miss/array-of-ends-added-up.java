static int[] rooms(int[] starts, int[] lengths) {
    int n = Math.min(starts.length, lengths.length);
    int[] ends = new int[n];
    int[] result = new int[n];
    for (int i = 0; i < n; i++) {
        int room = 0;
        while (ends[room] > starts[i]) room++;
        ends[room] += lengths[i];
        result[i] = room + 1;
    }
    return result;
}
