public int find(int year, int month, int weekday, int n) {
    Calendar calendar = new GregorianCalendar(year, month - 1, 1);
    int length = calendar.getActualMaximum(Calendar.DAY_OF_MONTH);
    // Sunday is 1 in this class
    int first = (calendar.get(Calendar.DAY_OF_WEEK) + 5) % 7;
    int day = 1 + Math.floorMod(weekday - first, 7);
    if (n < 0) {
        while (day + 7 < length) day += 7;
        for (int k = -1; k > n; k--) day -= 7;
    } else {
        day += 7 * (n - 1);
    }
    return n == 0 || day < 1 || day > length ? 0 : day;
}
