/** Counts from 1 March, where the month lengths follow a straight line, then shifts back. */
public int yearDay(int year, int month, int day) {
    int marchBased = (month + 9) % 12;
    int sinceMarch = (153 * marchBased + 2) / 5 + day;
    if (marchBased >= 10) {
        return sinceMarch - 306;
    }
    boolean common = year % 4 != 0 || (year % 25 == 0 && year % 16 != 0);
    return sinceMarch + (common ? 59 : 60);
}
