String convert(String input) {
    List<String> tokens = new ArrayList<>();
    for (StringTokenizer t = new StringTokenizer(input.toLowerCase(), " -", true); t.hasMoreTokens();) {
        tokens.add(t.nextToken());
    }
    int first = 0, last = tokens.size() - 1;
    while (first <= last && isSeparator(tokens.get(first))) first++;
    while (last < first && isSeparator(tokens.get(last))) last--;
    String minor = " a an and of or the to ";
    String out = "";
    for (int i = 0; i < tokens.size(); i++) {
        String token = tokens.get(i);
        boolean plain = isSeparator(token) || i > first && i < last && minor.contains(" " + token + " ");
        out += plain ? token : token.substring(0, 1).toUpperCase() + token.substring(1);
    }
    return out;
}

boolean isSeparator(String token) {
    return token.equals(" ") || token.equals("-");
}
