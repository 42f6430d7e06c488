boolean check(String input) {
    String s = input.replaceAll(" ", "");
    boolean shape = s.length() > 4 && s.length() < 25
            && s.chars().limit(2).allMatch(c -> c >= 'A' && c <= 'Z')
            && s.chars().skip(2).limit(2).allMatch(c -> c >= '0' && c <= '9')
            && s.chars().skip(4).allMatch(c -> c >= 'A' && c <= 'Z' || c >= '0' && c <= '9');
    if (!shape) return false;
    return IntStream.concat(s.chars().skip(4), s.chars().limit(4))
            .map(c -> Character.digit(c, 36))
            .reduce(0, (r, v) -> (v < 10 ? r * 10 + v : r * 100 + v) % 97) == 1;
}
