static String strip(String program) {
    StringBuilder out = new StringBuilder();
    char mode = 'c'; // code, string, line comment or block comment
    for (int i = 0; i < program.length(); i++) {
        char c = program.charAt(i);
        char next = i + 1 < program.length() ? program.charAt(i + 1) : 0;
        switch (mode) {
            case 'c':
                if (c == '/' && next == '/') {
                    mode = 'l';
                } else if (c == '/' && next == '*') {
                    mode = 'b';
                    out.append(' ');
                    i++;
                } else {
                    out.append(c);
                    if (c == '"') mode = 's';
                }
                break;
            case 's':
                out.append(c);
                if (c == '"') mode = 'c';
                if (c == '\\' && next != 0) {
                    out.append(next);
                    i++;
                }
                break;
            case 'l':
                if (c == '\n') {
                    out.append(c);
                    mode = 'c';
                }
                break;
            default:
                if (c == '*' && next == '/') {
                    mode = 'c';
                    i++;
                }
        }
    }
    return out.toString();
}
