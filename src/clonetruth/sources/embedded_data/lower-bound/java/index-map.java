public int firstNotBelow(int[] data, int bound) {
    TreeMap<Integer, Integer> firstIndex = new TreeMap<>();
    for (int i = 0; i < data.length; i++) {
        firstIndex.putIfAbsent(data[i], i);
    }
    Map.Entry<Integer, Integer> hit = firstIndex.ceilingEntry(bound);
    return hit != null ? hit.getValue() : data.length;
}
