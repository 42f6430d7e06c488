List<List<Integer>> mark(String ranges, int size) {
    List<List<Integer>> answer = new ArrayList<>();
    StringTokenizer parts = new StringTokenizer(ranges, ",");
    while (parts.hasMoreTokens()) {
        String part = parts.nextToken();
        int dash = part.indexOf('-');
        String left = part.substring(0, dash), right = part.substring(dash + 1);
        // looks at every byte of the file whether it is wanted
        BitSet wanted = new BitSet();
        for (int at = 0; at < size; at++) {
            if (left.isEmpty()) wanted.set(at, at >= size - Integer.parseInt(right));
            else wanted.set(at, at >= Integer.parseInt(left) && (right.isEmpty() || at <= Integer.parseInt(right)));
        }
        if (!wanted.isEmpty()) answer.add(List.of(wanted.nextSetBit(0), wanted.cardinality() - 1));
    }
    return answer;
}
