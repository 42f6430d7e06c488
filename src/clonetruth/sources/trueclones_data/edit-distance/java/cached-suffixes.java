int distance(String from, String to) {
    return solve(from, to, new HashMap<>());
}

private int solve(String x, String y, Map<String, Integer> known) {
    if (x.isEmpty()) return y.length();
    if (y.isEmpty()) return x.length();
    String key = x + "|" + y;
    if (known.containsKey(key)) return known.get(key);
    String restX = x.substring(1), restY = y.substring(1);
    int result;
    if (x.charAt(0) == y.charAt(0)) {
        result = solve(restX, restY, known);
    } else {
        result = 1 + Math.min(solve(restX, restY, known), Math.min(solve(x, restY, known), solve(restX, y, known)));
        if (restX.startsWith(y.substring(0, 1)) && restY.startsWith(x.substring(0, 1))) {
            result = Math.min(result, 1 + solve(x.substring(2), y.substring(2), known));
        }
    }
    known.put(key, result);
    return result;
}
