int precedence(String one, String two) {
    List<String> a = identifiers(one);
    List<String> b = identifiers(two);
    if (a == null || b == null) return -2;
    for (int i = 0; i < Math.max(a.size(), b.size()); i++) {
        // after the three numbers a missing pre-release is the highest, later on a missing identifier the lowest
        if (i >= a.size()) return i == 4 ? 1 : -1;
        if (i >= b.size()) return i == 4 ? -1 : 1;
        String x = a.get(i), y = b.get(i);
        if (x.equals(y)) continue;
        boolean dx = digits(x), dy = digits(y);
        if (dx && dy) return Long.parseLong(x) < Long.parseLong(y) ? -1 : 1;
        if (dx || dy) return dx ? -1 : 1;
        return x.compareTo(y) < 0 ? -1 : 1;
    }
    return 0;
}

List<String> identifiers(String version) {
    int plus = version.indexOf('+');
    String main = plus < 0 ? version : version.substring(0, plus);
    int hyphen = main.indexOf('-');
    String core = hyphen < 0 ? main : main.substring(0, hyphen);
    List<String> all = new ArrayList<>(Arrays.asList(core.split("\\.", -1)));
    if (all.size() != 3 || !all.stream().allMatch(this::digits)) return null;
    if (hyphen >= 0) all.addAll(Arrays.asList(main.substring(hyphen + 1).split("\\.", -1)));
    for (String s : all) {
        if (s.isEmpty() || s.length() > 1 && s.charAt(0) == '0' && digits(s)) return null;
    }
    if (plus >= 0 && !version.substring(plus + 1).matches("[\\w-]+(\\.[\\w-]+)*")) return null;
    return all;
}

boolean digits(String s) {
    return !s.isEmpty() && s.chars().allMatch(c -> c >= '0' && c <= '9');
}
