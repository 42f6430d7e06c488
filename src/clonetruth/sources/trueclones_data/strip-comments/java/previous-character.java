String process(String code) {
    List<Character> out = new ArrayList<>();
    boolean text = false, line = false, block = false;
    char before = 0;
    for (char c : code.toCharArray()) {
        char pair = before;
        before = c;
        if (line) {
            line = c != '\n';
            if (!line) out.add(c);
        } else if (block) {
            if (pair == '*' && c == '/') {
                block = false;
                before = 0;
            }
        } else if (text) {
            out.add(c);
            if (pair == '\\') before = 0;
            else if (c == '"') text = false;
        } else if (pair == '/' && (c == '/' || c == '*')) {
            out.remove(out.size() - 1);
            line = c == '/';
            block = !line;
            if (block) out.add(' ');
            before = 0;
        } else {
            out.add(c);
            text = c == '"';
        }
    }
    return out.stream().map(String::valueOf).collect(Collectors.joining());
}
