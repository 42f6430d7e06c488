int[] expand(String spec, int min, int max) {
    BitSet bits = new BitSet();
    int i = 0;
    while (i < spec.length()) {
        int[] n = {min, max, 1};
        if (spec.charAt(i) == '*') {
            i++;
        } else {
            n[0] = 0;
            while (i < spec.length() && Character.isDigit(spec.charAt(i))) n[0] = n[0] * 10 + spec.charAt(i++) - '0';
            n[1] = n[0];
        }
        if (i < spec.length() && spec.charAt(i) == '-') {
            n[1] = 0;
            for (i++; i < spec.length() && Character.isDigit(spec.charAt(i)); i++) n[1] = n[1] * 10 + spec.charAt(i) - '0';
        }
        if (i < spec.length() && spec.charAt(i) == '/') {
            n[2] = 0;
            for (i++; i < spec.length() && Character.isDigit(spec.charAt(i)); i++) n[2] = n[2] * 10 + spec.charAt(i) - '0';
        }
        i++; // comma
        for (int k = n[0]; k <= n[1]; k += n[2]) bits.set(k);
    }
    return bits.stream().filter(k -> min <= k && k <= max).toArray();
}
