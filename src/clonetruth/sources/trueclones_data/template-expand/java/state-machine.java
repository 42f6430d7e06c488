public String process(String input, String[] names, String[] values) {
    StringBuilder out = new StringBuilder();
    StringBuilder name = null;        // not null: behind an opening brace
    boolean closing = false;          // behind a closing brace that may be doubled
    for (char c : (input + "\n").toCharArray()) {
        if (name != null) {
            if (c == '{' && name.length() == 0) {
                out.append('{');
                name = null;
                continue;
            }
            if (c >= 'a' && c <= 'z') {
                name.append(c);
                continue;
            }
            if (c == '}' && name.length() > 0) {
                int at = Arrays.asList(names).indexOf(name.toString());
                out.append(at >= 0 && at < values.length ? values[at] : "{" + name + "}");
                name = null;
                continue;
            }
            out.append('{').append(name);
            name = null;
        }
        if (c == '}' && closing) {
            closing = false;
        } else if (c == '}') {
            out.append(c);
            closing = true;
        } else {
            closing = false;
            if (c == '{') name = new StringBuilder();
            else out.append(c);
        }
    }
    return out.substring(0, out.length() - 1);
}
