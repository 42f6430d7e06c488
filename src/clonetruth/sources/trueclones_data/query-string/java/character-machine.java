public String find(String query, String key) {
    StringBuilder[] parts = {new StringBuilder(), new StringBuilder()};
    int which = 0;
    for (int i = 0; i <= query.length(); i++) {
        char c = i < query.length() ? query.charAt(i) : '&';
        switch (c) {
            case '&':
                if (parts[0].toString().equals(key)) return parts[1].toString();
                parts[0].setLength(0);
                parts[1].setLength(0);
                which = 0;
                break;
            case '=':
                if (which == 0) {
                    which = 1;
                } else {
                    parts[1].append('=');
                }
                break;
            case '%':
                int code = Character.digit(query.charAt(i + 1), 16) << 4 | Character.digit(query.charAt(i + 2), 16);
                parts[which].append((char) code);
                i += 2;
                break;
            case '+':
                parts[which].append(' ');
                break;
            default:
                parts[which].append(c);
        }
    }
    return "(none)";
}
