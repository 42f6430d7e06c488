static int[] countingSort(int[] a) {
    final int offset = 100;
    int[] histogram = new int[2 * offset + 1];
    for (int x : a) histogram[x + offset]++;
    int[] b = new int[a.length];
    int next = 0;
    for (int v = 0; v < histogram.length; v++) {
        for (int times = histogram[v]; times > 0; times--) {
            b[next++] = v - offset;
        }
    }
    return b;
}
