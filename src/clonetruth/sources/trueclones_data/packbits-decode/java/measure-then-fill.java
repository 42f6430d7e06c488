int[] decode(List<Integer> data) {
    int size = 0, at = 0;
    while (at < data.size()) {
        int n = data.get(at);
        if (n < 128) { size += n + 1; at += n + 2; }
        else if (n > 128) { size += 257 - n; at += 2; }
        else at++;
    }
    if (at > data.size()) return new int[] {-1};
    int[] out = new int[size];
    int to = 0;
    for (at = 0; at < data.size(); at++) {
        int n = data.get(at);
        if (n > 128) {
            Arrays.fill(out, to, to + 257 - n, data.get(++at));
            to += 257 - n;
        }
        for (int k = 0; n < 128 && k <= n; k++) out[to++] = data.get(++at);
    }
    return out;
}
