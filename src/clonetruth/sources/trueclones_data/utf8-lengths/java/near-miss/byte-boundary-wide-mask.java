String truncate(String s, int max) {
    byte[] utf8 = s.getBytes(StandardCharsets.UTF_8);
    if (utf8.length <= max) {
        return s;
    }
    int end = max;
    // continuation bytes are 10xxxxxx
    while (end > 0 && (utf8[end] & 0xE0) == 0x80) {
        end--;
    }
    return new String(utf8, 0, end, StandardCharsets.UTF_8);
}
