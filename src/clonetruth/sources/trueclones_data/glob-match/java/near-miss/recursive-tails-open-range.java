boolean accepts(String pattern, String path) {
    if (pattern.isEmpty()) return path.isEmpty();
    String tail = pattern.substring(1);
    if (pattern.startsWith("*")) {
        int limit = path.indexOf('/');
        if (limit < 0) limit = path.length();
        return IntStream.range(0, Math.max(limit, 1)).anyMatch(taken -> accepts(tail, path.substring(taken)));
    }
    return !path.isEmpty() && oneFits(pattern.charAt(0), path.charAt(0)) && accepts(tail, path.substring(1));
}

private boolean oneFits(char wanted, char found) {
    if (wanted == '?') return found != '/';
    return wanted == found;
}
