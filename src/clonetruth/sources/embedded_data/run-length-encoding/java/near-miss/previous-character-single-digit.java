public static String encode(String text) {
    if (text.isEmpty()) {
        return "";
    }
    StringBuilder out = new StringBuilder();
    char previous = text.charAt(0);
    int count = 1;
    for (int i = 1; i < text.length(); i++) {
        char c = text.charAt(i);
        if (c == previous && count < 9) {
            count++;
        } else {
            out.append(previous).append(count);
            previous = c;
            count = 1;
        }
    }
    out.append(previous).append(count);
    return out.toString();
}
