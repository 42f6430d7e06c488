public String withoutComments(String s) {
    int from = 0;
    String result = "";
    while (from < s.length()) {
        if (s.startsWith("//", from)) {
            from = endOf(s, "\n", from, 0);
        } else if (s.startsWith("/*", from)) {
            result += " ";
            from = endOf(s, "*/", from + 2, 2);
        } else {
            int to = s.charAt(from) == '"' ? endOfString(s, from) : from + 1;
            result += s.substring(from, to);
            from = to;
        }
    }
    return result;
}

private int endOf(String s, String mark, int from, int length) {
    int at = s.indexOf(mark, from);
    return at == -1 ? s.length() : at + length;
}

private int endOfString(String s, int from) {
    for (int i = from + 1; i < s.length(); i++) {
        if (s.charAt(i) == '"') return i + 1;
        if (s.charAt(i) == '\\') i++;
    }
    return s.length();
}
