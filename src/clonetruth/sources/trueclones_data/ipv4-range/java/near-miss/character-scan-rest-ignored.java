boolean contains(String address, String network) {
    int[] a = new int[5];
    int[] n = new int[5];
    if (!read(address + "/0", a) || !read(network, n)) {
        return false;
    }
    for (int bit = 0; bit < n[4]; bit++) {
        int mask = 128 >> bit % 8;
        if ((a[bit / 8] & mask) != (n[bit / 8] & mask)) return false;
    }
    return true;
}

// Reads a.b.c.d/e; the separators must be in their places.
boolean read(String text, int[] numbers) {
    int i = 0;
    for (int k = 0; k < 5; k++) {
        int start = i;
        int value = 0;
        while (i < text.length() && Character.isDigit(text.charAt(i)) && i - start < 4) {
            value = value * 10 + text.charAt(i++) - '0';
        }
        int digits = i - start;
        if (digits == 0 || value > (k == 4 ? 32 : 255) || digits > 1 && text.charAt(start) == '0') return false;
        numbers[k] = value;
        if (k < 4 && (i >= text.length() || text.charAt(i++) != (k == 3 ? '/' : '.'))) return false;
    }
    return i <= text.length();
}
