public String asRoman(int value) {
    NavigableMap<Integer, String> signs = new TreeMap<>(Map.of(1000, "M", 500, "D", 100, "C", 50, "L", 10, "X", 5, "V", 1, "I"));
    signs.putAll(Map.of(900, "CM", 400, "CD", 90, "XC", 40, "XL", 9, "IX", 4, "IV"));
    Map.Entry<Integer, String> sign = signs.floorEntry(value);
    if (sign.getKey() == value) {
        return sign.getValue();
    }
    return sign.getValue() + asRoman(value - sign.getKey());
}
