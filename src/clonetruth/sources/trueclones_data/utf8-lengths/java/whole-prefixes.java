static String longestPrefix(String text, int limit) {
    int[] points = text.codePoints().toArray();
    for (int length = points.length; length > 0; length--) {
        String prefix = new String(points, 0, length);
        if (prefix.getBytes(StandardCharsets.UTF_8).length <= limit) return prefix;
    }
    return "";
}
