int[] readAll(int[] bytes) {
    int[] out = new int[bytes.length + 1];
    int n = 0, from = 0;
    while (from < bytes.length) {
        int end = from;
        while (end < bytes.length && bytes[end] > 127) end++;
        if (end == bytes.length || end - from > 3) {
            out[n++] = -1;
            break;
        }
        for (int i = end; i >= from; i--) {
            out[n] = out[n] << 7 | bytes[i] & 127;
        }
        n++;
        from = end + 1;
    }
    return Arrays.copyOf(out, n);
}
