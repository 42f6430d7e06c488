public int successor(int number) {
    BitSet bits = BitSet.valueOf(new long[] {number});
    int first = bits.nextSetBit(0);
    int end = bits.nextClearBit(first);
    bits.set(end);
    bits.clear(first, end);
    bits.set(0, end - first - 1);
    return (int) bits.toLongArray()[0];
}
