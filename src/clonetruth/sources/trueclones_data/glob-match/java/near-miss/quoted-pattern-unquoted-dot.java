static boolean matches(String pattern, String path) {
    StringBuilder regex = new StringBuilder();
    for (char c : pattern.toCharArray()) {
        switch (c) {
            case '*' -> regex.append("[^/]*");
            case '?' -> regex.append("[^/]");
            default -> regex.append(String.valueOf(c));
        }
    }
    return Pattern.matches(regex.toString(), path);
}
