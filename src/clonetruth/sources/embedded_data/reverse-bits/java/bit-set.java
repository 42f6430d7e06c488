static long swapEnds(long input) {
    BitSet bits = BitSet.valueOf(new long[] {input});
    for (int low = 0, high = 31; low < high; low++, high--) {
        boolean kept = bits.get(low);
        bits.set(low, bits.get(high));
        bits.set(high, kept);
    }
    long[] words = bits.toLongArray();
    return words.length == 0 ? 0L : words[0];
}
