public String encode(String value) {
    StringBuilder b = new StringBuilder();
    b.append('"');
    int[] points = value.codePoints().toArray();
    for (int p : points) {
        int named = "\"\\\b\f\n\r\t".indexOf(p);
        if (named >= 0) {
            b.append('\\').append("\"\\bnfrt".charAt(named));
        } else if (p > 0x1F && p < 0x7F) {
            b.appendCodePoint(p);
        } else {
            for (char unit : Character.toChars(p)) {
                b.append("\\u");
                for (int shift = 12; shift >= 0; shift -= 4) {
                    b.append("0123456789abcdef".charAt(unit >> shift & 15));
                }
            }
        }
    }
    return b.append('"').toString();
}
