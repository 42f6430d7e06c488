#include <initializer_list>

static bool isLeap(int year) {
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static int dayOfYear(int year, int month, int day) {
    static const int before[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
    return before[month - 1] + day + (month > 2 && isLeap(year));
}

// 0 is Monday
static int weekday(int year, int month, int day) {
    const int y = year - 1;
    return (y * 365 + y / 4 - y / 100 + y / 400 + dayOfYear(year, month, day) - 1) % 7;
}

int isoWeek(int year, int month, int day) {
    // the week has the number of its Thursday
    int thursday = dayOfYear(year, month, day) - weekday(year, month, day) + 3;
    if (thursday < 1) {
        thursday += 365 + isLeap(year + 1);
    } else if (thursday > 365 + isLeap(year)) {
        thursday = 1;
    }
    return (thursday - 1) / 7 + 1;
}
