int weekOf(int year, int month, int day) {
    int[] before = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
    int ordinal = before[month - 1] + day + (month > 3 && isLeap(year) ? 1 : 0);
    int weekday = (firstWeekday(year) + ordinal - 1) % 7;
    int thursday = ordinal + 3 - weekday;
    if (thursday < 1) {
        thursday += isLeap(year - 1) ? 366 : 365;
    } else if (thursday > (isLeap(year) ? 366 : 365)) {
        return 1;
    }
    return (thursday - 1) / 7 + 1;
}

private boolean isLeap(int year) {
    return year % 4 == 0 && year % 100 != 0 || year % 400 == 0;
}

private int firstWeekday(int year) {
    int y = year - 1;
    return (y + y / 4 - y / 100 + y / 400) % 7;
}
