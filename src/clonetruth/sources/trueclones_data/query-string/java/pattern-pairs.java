String valueOf(String query, String key) {
    Matcher pairs = Pattern.compile("([^&=]*)=?([^&]*)").matcher(query);
    while (pairs.find()) {
        if (unescape(pairs.group(1)).equals(key)) {
            return unescape(pairs.group(2));
        }
    }
    return "(none)";
}

private String unescape(String s) {
    return Pattern.compile("%([0-9A-Fa-f]{2})")
            .matcher(s.replace('+', ' '))
            .replaceAll(m -> Matcher.quoteReplacement("" + (char) Integer.parseInt(m.group(1), 16)));
}
