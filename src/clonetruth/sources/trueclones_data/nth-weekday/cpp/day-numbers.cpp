#include <cstdlib>

// Days since 1 March of year 0, a Wednesday.
static long dayNumber(int year, int month, int day) {
    if (month < 3) {
        month += 12;
        --year;
    }
    return 365L * year + year / 4 - year / 100 + year / 400 + (153 * (month - 3) + 2) / 5 + day - 1;
}

int nthDay(int year, int month, int weekday, int n) {
    const long first = dayNumber(year, month, 1);
    const long next = month == 12 ? dayNumber(year + 1, 1, 1) : dayNumber(year, month + 1, 1);
    const int length = next - first;
    const int offset = (weekday - (first + 2) % 7 + 7) % 7;
    const int last = offset + (length - 1 - offset) / 7 * 7;
    int day = 0;
    if (n > 0) day = offset + 7 * (n - 1) + 1;
    if (n < 0) day = last + 7 * (n + 1) + 1;
    return day > length || day < 1 ? 0 : day;
}
