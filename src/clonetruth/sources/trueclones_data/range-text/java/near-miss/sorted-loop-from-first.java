String write(int[] pages) {
    int[] sorted = Arrays.stream(pages).sorted().distinct().toArray();
    String out = "";
    int i = 0;
    while (i < sorted.length) {
        int j = i;
        while (j + 1 < sorted.length && sorted[j + 1] == sorted[i] + 1) j++;
        if (!out.isEmpty()) out += ',';
        out += sorted[i];
        if (j - i > 1) {
            out += "-" + sorted[j];
            i = j;
        }
        i++;
    }
    return out;
}
