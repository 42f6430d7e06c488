static String compact(int[] numbers) {
    BitSet set = new BitSet();
    for (int n : numbers) set.set(n);
    StringJoiner text = new StringJoiner(",");
    int from = set.nextSetBit(0);
    while (from >= 0) {
        int end = set.nextClearBit(from);
        switch (end - from) {
            case 1:
                text.add("" + from);
                break;
            case 2:
                text.add(from + "," + (from + 1));
                break;
            default:
                text.add(from + "-" + (end - 1));
        }
        from = set.nextSetBit(end);
    }
    return text.toString();
}
