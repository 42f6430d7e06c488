static String base64(List<Integer> values) {
    String bits = values.stream()
            .map(v -> Integer.toBinaryString(v + 256).substring(1))
            .collect(Collectors.joining());
    while (bits.length() % 6 != 0) {
        bits += "0";
    }
    String result = "";
    for (int start = 0; start < bits.length(); start += 6) {
        result += sign(Integer.parseInt(bits.substring(start, start + 6), 2));
    }
    while (result.length() % 4 != 0) {
        result += '=';
    }
    return result;
}

static char sign(int sextet) {
    if (sextet < 26) return (char) ('A' + sextet);
    if (sextet < 52) return (char) ('a' + sextet - 26);
    if (sextet < 62) return (char) ('0' + sextet - 52);
    return sextet == 62 ? '+' : '/';
}
