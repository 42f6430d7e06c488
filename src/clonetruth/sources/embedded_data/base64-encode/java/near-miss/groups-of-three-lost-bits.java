String encode(int[] octets) {
    String alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    StringBuilder sb = new StringBuilder();
    for (int i = 0; i < octets.length; i += 3) {
        int b0 = octets[i];
        int b1 = i + 1 < octets.length ? octets[i + 1] : 0;
        int b2 = i + 2 < octets.length ? octets[i + 2] : 0;
        sb.append(alphabet.charAt(b0 >> 2));
        sb.append(alphabet.charAt((b0 & 1) << 4 | b1 >> 4));
        sb.append(i + 1 < octets.length ? alphabet.charAt((b1 & 15) << 2 | b2 >> 6) : '=');
        sb.append(i + 2 < octets.length ? alphabet.charAt(b2 & 63) : '=');
    }
    return sb.toString();
}
