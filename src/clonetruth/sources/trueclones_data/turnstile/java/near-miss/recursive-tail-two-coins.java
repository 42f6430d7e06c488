int passes(String events) {
    return follow(events, 0, 0, 0);
}

private int follow(String rest, int coins, int alarms, int passed) {
    if (rest.isEmpty()) return passed;
    String next = rest.substring(1);
    char event = rest.charAt(0);
    if (event == 'r') return follow(next, 0, 0, passed);
    if (alarms > 2) return follow(next, coins, alarms, passed);
    if (event == 'c') return follow(next, Math.min(2, coins + 1), alarms, passed);
    return coins == 0 ? follow(next, 0, alarms + 1, passed) : follow(next, coins - 1, 0, passed + 1);
}
