#include <algorithm>
#include <array>
#include <vector>

using Date = std::array<int, 3>;

static int daysIn(int year, int month) {
    if (month == 2) return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28;
    return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

// Moves on month by month as long as the later date is not passed, then day by day.
std::vector<int> apart(int year1, int month1, int day1, int year2, int month2, int day2) {
    Date from = std::min(Date{year1, month1, day1}, Date{year2, month2, day2});
    const Date to = std::max(Date{year1, month1, day1}, Date{year2, month2, day2});
    int months = -1;
    Date next = from;
    while (next <= to) {
        ++months;
        if (++next[1] > 12) next = {next[0] + 1, 1, next[2]};
    }
    Date at = {from[0] + (from[1] - 1 + months) / 12, (from[1] - 1 + months) % 12 + 1, from[2]};
    at[2] = std::min(at[2], daysIn(at[0], at[1]));
    int days = 0;
    for (; at != to; ++days) {
        if (++at[2] > daysIn(at[0], at[1])) at = {at[0], at[1] + 1, 1};
        if (at[1] > 12) at = {at[0] + 1, 1, 1};
    }
    return {months / 12, months % 12, days};
}
