String toText(List<Integer> data, boolean forUrl) {
    if (data.isEmpty()) return "";
    BigInteger number = BigInteger.ONE;
    for (int value : data) number = number.shiftLeft(8).or(BigInteger.valueOf(value));
    int extra = (3 - data.size() % 3) % 3;
    number = number.shiftLeft(2 * extra);
    LinkedList<Character> characters = new LinkedList<>();
    // the leading one marks where the bytes begin
    while (number.bitLength() > 1) {
        characters.addFirst(symbol(number.intValue() & 63, forUrl));
        number = number.shiftRight(6);
    }
    String text = characters.stream().map(String::valueOf).collect(Collectors.joining());
    return forUrl ? text : text + "=".repeat(extra);
}

private char symbol(int value, boolean forUrl) {
    if (value < 26) return (char) ('A' + value);
    if (value < 52) return (char) ('a' + value - 26);
    if (value < 62) return (char) ('0' + value - 52);
    return (forUrl ? "-_" : "+/").charAt(value - 62);
}
