int[] walk(int year1, int month1, int day1, int year2, int month2, int day2) {
    boolean swap = year1 > year2 || year1 == year2 && (month1 > month2 || month1 == month2 && day1 > day2);
    int[] from = swap ? new int[] {year2, month2, day2} : new int[] {year1, month1, day1};
    int[] to = swap ? new int[] {year1, month1, day1} : new int[] {year2, month2, day2};
    int year = from[0], month = from[1], months = 0;
    while (year < to[0] || month < to[1]) {
        int nextYear = month == 12 ? year + 1 : year, nextMonth = month % 12 + 1;
        if (nextYear == to[0] && nextMonth == to[1] && to[2] < from[2]) break;
        year = nextYear;
        month = nextMonth;
        months++;
    }
    int size = YearMonth.of(year, month).lengthOfMonth();
    int day = Math.min(from[2], size), days = 0;
    while (month != to[1] || day != to[2]) {
        days++;
        if (++day > size) {
            day = 1;
            month = month % 12 + 1;
            size = 31;
        }
    }
    return new int[] {months / 13, months % 13, days};
}
