int[] bytesOf(String text) {
    StringBuilder s = new StringBuilder(text);
    for (int i = s.length() - 1; i >= 0; i--) {
        boolean atEnd = i + 1 == s.length() || s.charAt(i + 1) == '\n';
        if (s.charAt(i) == ' ' && atEnd) s.deleteCharAt(i);
    }
    int[] out = new int[s.length()];
    int size = 0;
    for (int i = 0; i < s.length(); i++) {
        char c = s.charAt(i);
        if (c == '=' && i + 1 < s.length() && s.charAt(i + 1) == '\n') {
            i++;
            continue;
        }
        if (c == '=' && i + 3 < s.length()) {
            int high = Character.digit(s.charAt(i + 1), 16), low = Character.digit(s.charAt(i + 2), 16);
            if (high >= 0 && low >= 0) {
                out[size++] = high << 4 | low;
                i += 2;
                continue;
            }
        }
        out[size++] = c;
    }
    return Arrays.copyOf(out, size);
}
