public static String fit(String text, int limit) {
    int bytes = 0;
    int i = 0;
    while (i < text.length()) {
        int codePoint = text.codePointAt(i);
        int size = codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
        if (bytes + size > limit) break;
        bytes += size;
        i += Character.charCount(codePoint);
    }
    return text.substring(0, i);
}
