public String toSnakeCase(String identifier) {
    StringBuilder out = new StringBuilder();
    int n = identifier.length();
    for (int i = 0; i < n; i++) {
        char c = identifier.charAt(i);
        if (!Character.isLetterOrDigit(c)) {
            addUnderscore(out);
            continue;
        }
        if (Character.isUpperCase(c) && i > 0) {
            boolean afterUpper = Character.isUpperCase(identifier.charAt(i - 1));
            boolean beforeLower = i + 2 < n && Character.isLowerCase(identifier.charAt(i + 1));
            if (!afterUpper || beforeLower) addUnderscore(out);
        }
        out.append(Character.toLowerCase(c));
    }
    int end = out.length();
    if (end > 0 && out.charAt(end - 1) == '_') out.setLength(end - 1);
    return out.toString();
}

private void addUnderscore(StringBuilder out) {
    if (out.length() > 0 && out.charAt(out.length() - 1) != '_') out.append('_');
}
