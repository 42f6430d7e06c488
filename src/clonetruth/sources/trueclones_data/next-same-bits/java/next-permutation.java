int permute(int number) {
    char[] bits = ("0" + Integer.toBinaryString(number)).toCharArray();
    int i = bits.length - 2;
    while (bits[i] >= bits[i + 1]) i--;
    int j = bits.length - 1;
    while (bits[j] <= bits[i]) j--;
    swap(bits, i, j);
    for (int a = i + 1, b = bits.length - 1; a < b; a++, b--) swap(bits, a, b);
    return Integer.parseInt(new String(bits), 2);
}

private void swap(char[] bits, int a, int b) {
    char kept = bits[a];
    bits[a] = bits[b];
    bits[b] = kept;
}
