static List<Integer> unpack(int[] data) {
    List<Integer> out = new ArrayList<>();
    for (int i = 0; i < data.length; i++) {
        int n = data[i];
        if (n == 128) continue;
        int needed = n > 128 ? 1 : n + 1;
        if (i + needed >= data.length) return List.of(-1);
        if (n > 128) {
            out.addAll(Collections.nCopies(257 - n, data[i + 1]));
        } else {
            for (int k = 1; k <= needed; k++) out.add(data[i + k]);
        }
        i += needed;
    }
    return out;
}
