static int dayNumber(int year, int month, int day) {
    int n = day;
    switch (month) {
        case 12: n += 30;
        case 11: n += 31;
        case 10: n += 30;
        case 9: n += 31;
        case 8: n += 31;
        case 7: n += 30;
        case 6: n += 31;
        case 5: n += 30;
        case 4: n += 31;
        case 3: n += isLeap(year) ? 29 : 28;
        case 2: n += 31;
        default: return n;
    }
}

static boolean isLeap(int year) {
    if (year % 400 == 0) return true;
    if (year % 100 == 0) return false;
    return year % 4 == 0;
}
