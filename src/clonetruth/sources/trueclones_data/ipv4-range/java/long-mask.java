public static boolean inNetwork(String address, String network) {
    int slash = network.indexOf('/');
    if (slash < 0) return false;
    String length = network.substring(slash + 1);
    if (!length.matches("0|[1-9]\\d?") || Integer.parseInt(length) > 32) return false;
    long a = parse(address);
    long n = parse(network.substring(0, slash));
    if (a < 0 || n < 0) return false;
    long mask = 0xFFFFFFFFL << (32 - Integer.parseInt(length));
    return (a & mask) == (n & mask);
}

private static long parse(String text) {
    String[] parts = text.split("\\.", -1);
    if (parts.length != 4) return -1;
    long value = 0;
    for (String part : parts) {
        if (!part.matches("0|[1-9]\\d{0,2}")) return -1;
        int octet = Integer.parseInt(part);
        if (octet > 255) return -1;
        value = value << 8 | octet;
    }
    return value;
}
