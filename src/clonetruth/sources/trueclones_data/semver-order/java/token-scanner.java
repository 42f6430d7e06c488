/** A small parser with a position; -2 means that something is wrong. */
public int compare(String first, String second) {
    List<Object> a = new ArrayList<>(), b = new ArrayList<>();
    if (!scan(first, a) || !scan(second, b)) return -2;
    Iterator<Object> left = a.iterator(), right = b.iterator();
    while (left.hasNext() && right.hasNext()) {
        Object x = left.next(), y = right.next();
        int result;
        if (x instanceof Integer && y instanceof Integer) result = ((Integer) x).compareTo((Integer) y);
        else if (x instanceof String && y instanceof String) result = ((String) x).compareTo((String) y);
        else result = x instanceof Integer ? -1 : 1;
        if (result != 0) return result < 0 ? -1 : 1;
    }
    return left.hasNext() ? 1 : right.hasNext() ? -1 : 0;
}

private boolean scan(String text, List<Object> out) {
    String section = "core";
    int count = 0, start = 0;
    for (int i = 0; i <= text.length(); i++) {
        char c = i < text.length() ? text.charAt(i) : '\0';
        boolean ends = c == '\0' || c == '.' || c == '+' || c == '-' && section.equals("core");
        if (c == '+' && section.equals("build")) return false;
        if (!ends) continue;
        String token = text.substring(start, i);
        start = i + 1;
        boolean numeric = token.matches("[0-9]+");
        if (token.isEmpty() || section.equals("core") && !numeric) return false;
        if (!section.equals("build")) {
            if (numeric && token.length() > 1 && token.startsWith("0")) return false;
            out.add(numeric ? (Object) Integer.valueOf(token) : token);
        }
        count++;
        if (c == '.') {
            if (section.equals("core") && count == 3) return false;
            continue;
        }
        if (section.equals("core")) {
            if (count != 3) return false;
            if (c != '-') out.add("~");   // above every pre-release
        }
        section = c == '-' ? "pre" : "build";
    }
    return true;
}
