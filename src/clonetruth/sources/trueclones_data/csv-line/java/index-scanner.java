List<String> scan(String s) {
    ArrayList<String> out = new ArrayList<>();
    int pos = 0;
    while (true) {
        int end;
        if (pos < s.length() && s.charAt(pos) == '"') {
            end = closingQuote(s, pos + 1);
            out.add(s.substring(pos + 1, end).replace("\"\"", "\""));
            end++;
        } else {
            end = s.indexOf(',', pos);
            if (end < 0) end = s.length();
            out.add(s.substring(pos, end));
        }
        if (end >= s.length()) return out;
        pos = end + 1;
    }
}

private int closingQuote(String s, int from) {
    int at = s.indexOf('"', from);
    while (at + 1 < s.length() && s.charAt(at + 1) == '"') {
        at = s.indexOf('"', at + 2);
    }
    return at;
}
