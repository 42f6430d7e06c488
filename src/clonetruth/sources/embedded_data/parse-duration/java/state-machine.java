int parseDuration(String input) {
    int total = 0;
    int number = -1;          // -1: no digit read yet
    int smallestUnit = 3601;  // units must get smaller from part to part
    for (char c : input.toCharArray()) {
        if (c >= '0' && c <= '9') {
            number = Math.max(number, 0) * 10 + (c - '0');
            continue;
        }
        int unit = c == 'h' ? 3600 : c == 'm' ? 60 : c == 's' ? 1 : 0;
        if (unit == 0 || number < 0 || unit >= smallestUnit) {
            return -1;
        }
        total += number * unit;
        smallestUnit = unit;
        number = -1;
    }
    return number >= 0 || smallestUnit > 3600 ? -1 : total;
}
