// The network is a range of numbers: from its first address to its last.
public boolean covers(String host, String net) {
    String[] parts = net.split("/", -1);
    OptionalLong address = value(host);
    if (parts.length != 2 || address.isEmpty()) return false;
    OptionalLong base = value(parts[0]);
    int prefix = parts[1].length() <= 2 ? octet(parts[1]) : -1;
    if (base.isEmpty() || prefix < 0 || prefix > 32) return false;
    long size = 1L << 32 - prefix;
    long first = base.getAsLong() / size * size;
    return address.getAsLong() >= first && address.getAsLong() <= first + size - 1;
}

private OptionalLong value(String quad) {
    String[] texts = (quad + ".x").split("\\.");
    if (texts.length != 5) return OptionalLong.empty();
    long sum = 0;
    for (int i = 0; i < 4; i++) {
        int n = octet(texts[i]);
        if (n < 0 || n > 255) return OptionalLong.empty();
        sum = sum * 256 + n;
    }
    return OptionalLong.of(sum);
}

private int octet(String digits) {
    boolean good = !digits.isEmpty() && digits.length() <= 3 && digits.chars().allMatch(Character::isDigit);
    if (!good || digits.length() > 1 && digits.startsWith("0")) return -1;
    return Integer.parseInt(digits);
}
