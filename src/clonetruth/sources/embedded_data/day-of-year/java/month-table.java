public static int dayOfYear(int year, int month, int day) {
    int[] lengths = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    if (year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)) {
        lengths[1] = 29;
    }
    int total = day;
    for (int m = 0; m < month - 1; m++) {
        total += lengths[m];
    }
    return total;
}
