public int[] order(int[] data) {
    order(data, 0, data.length - 1);
    return data;
}

private void order(int[] data, int lo, int hi) {
    if (lo >= hi) return;
    int pivot = data[(lo + hi) / 2];
    int i = lo, k = hi;
    while (i <= k) {
        while (data[i] < pivot) i++;
        while (data[k] > pivot) k--;
        if (i <= k) {
            int t = data[i];
            data[i++] = data[k];
            data[k--] = t;
        }
    }
    order(data, lo, k);
    order(data, i, hi);
}
