public int durationInSeconds(String s) {
    if (s.length() == 0) return -1;
    String rest = s;
    int sum = 0;
    for (String unit : List.of("h", "m", "s")) {
        int at = rest.indexOf(unit);
        sum *= 60;
        if (at < 0) continue;
        String amount = rest.substring(0, at);
        if (amount.isEmpty() || !amount.chars().allMatch(ch -> ch >= '0' && ch <= '9')) {
            return -1;
        }
        sum += Integer.parseInt(amount);
        rest = rest.substring(at + 1);
    }
    return rest.isEmpty() ? sum : -1;
}
