// How far the next working days are, by weekday: one row for each day of the week, one column for each rest of five.
int spanOf(int weekday, int workingDays) {
    static const int extra[7][5] = {
        {0, 1, 2, 3, 4}, {0, 1, 2, 3, 6}, {0, 1, 2, 5, 6}, {0, 1, 4, 5, 6},
        {0, 3, 4, 5, 6}, {-1, 2, 3, 4, 5}, {-2, 1, 2, 3, 4},
    };
    return workingDays ? workingDays / 5 * 7 + extra[weekday][workingDays % 5] : 0;
}
