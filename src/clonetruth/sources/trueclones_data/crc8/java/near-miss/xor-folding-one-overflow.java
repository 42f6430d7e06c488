public int remainder(int[] message) {
    int r = 0;
    for (int octet : message) {
        int x = r ^ octet;
        // multiply by x^2 + x + 1 without carries, then reduce the two bits that overflow
        int product = x ^ (x << 1) ^ (x << 2);
        int high = product >>> 8;
        r = (product & 0xFF) ^ high ^ (high << 1);
    }
    return r;
}
