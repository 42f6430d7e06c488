String fill(String t, String[] names, String[] values) {
    StringBuilder b = new StringBuilder();
    for (int i = 0; i < t.length(); i++) {
        char c = t.charAt(i);
        boolean doubled = i + 1 < t.length() && t.charAt(i + 1) == c;
        if (c == '{' && doubled || c == '}' && doubled) {
            b.append(c);
            i++;
        } else if (c == '{') {
            int close = t.indexOf('}', i);
            String name = close < 0 ? "" : t.substring(i + 1, close);
            if (name.matches("[a-z]+")) {
                b.append(lookUp(name, names, values));
                i = close;
            } else {
                b.append(c);
            }
        } else {
            b.append(c);
        }
    }
    return b.toString();
}

private String lookUp(String name, String[] names, String[] values) {
    for (int k = 0; k < names.length; k++) {
        if (names[k].equals(name)) {
            return k < values.length ? values[k] : "{" + name + "}";
        }
    }
    return "{" + name + "}";
}
