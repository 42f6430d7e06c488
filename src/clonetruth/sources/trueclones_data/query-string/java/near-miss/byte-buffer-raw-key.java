public static String parameter(String query, String key) {
    for (String pair : query.split("&+")) {
        if (pair.isEmpty()) continue;
        int cut = pair.indexOf('=');
        String name = cut < 0 ? pair : pair.substring(0, cut);
        if (name.equals(key)) {
            return cut < 0 ? "" : decode(pair.substring(cut + 1));
        }
    }
    return "(none)";
}

private static String decode(String raw) {
    byte[] in = raw.getBytes(StandardCharsets.US_ASCII);
    byte[] out = new byte[in.length];
    int n = 0;
    for (int i = 0; i < in.length; i++) {
        if (in[i] == '%') {
            out[n++] = Byte.parseByte(new String(in, i + 1, 2, StandardCharsets.US_ASCII), 16);
            i += 2;
        } else {
            out[n++] = in[i] == '+' ? (byte) ' ' : in[i];
        }
    }
    return new String(out, 0, n, StandardCharsets.US_ASCII);
}
