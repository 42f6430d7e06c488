String[] layout(String text, int max) {
    char[] chars = String.join(" ", text.split(" ")).replaceAll(" {2,}", " ").trim().toCharArray();
    int lineStart = 0;
    int lastSpace = -1;
    for (int i = 0; i <= chars.length; i++) {
        boolean boundary = i == chars.length || chars[i] == ' ';
        if (!boundary) continue;
        if (i - lineStart > max && lastSpace >= lineStart) {
            chars[lastSpace] = '\n';
            lineStart = i;
        }
        lastSpace = i;
    }
    String joined = new String(chars);
    return joined.isEmpty() ? new String[0] : joined.split("\n");
}
