String readable(long size) {
    NavigableMap<Long, String> units = new TreeMap<>();
    units.put(0L, "B");
    for (String prefix : "K M G T P".split(" ")) {
        units.put(1L << 10 * units.size(), prefix + "iB");
    }
    Map.Entry<Long, String> entry = units.floorEntry(size);
    BigDecimal value = new BigDecimal(size)
            .divide(new BigDecimal(Math.max(1, entry.getKey())), 1, RoundingMode.DOWN)
            .stripTrailingZeros();
    return value.toPlainString() + " " + entry.getValue();
}
