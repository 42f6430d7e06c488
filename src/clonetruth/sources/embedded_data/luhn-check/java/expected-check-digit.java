static boolean verify(String id) {
    StringBuilder payload = new StringBuilder();
    id.chars().filter(c -> c != ' ').forEach(c -> payload.append((char) c));
    if (payload.length() <= 1 || payload.chars().anyMatch(c -> c < '0' || c > '9')) {
        return false;
    }
    int last = payload.length() - 1;
    int check = payload.charAt(last) - '0';
    payload.setLength(last);
    return check == checkDigit(payload.reverse().toString());
}

static int checkDigit(String reversed) {
    if (reversed.isEmpty()) return 0;
    int d = 2 * (reversed.charAt(0) - '0');
    int next = reversed.length() > 1 ? reversed.charAt(1) - '0' : 0;
    int rest = checkDigit(reversed.substring(Math.min(2, reversed.length())));
    // going to the left the missing amount shrinks by both digits
    return Math.floorMod(rest - d / 10 - d % 10 - next, 10);
}
