#include <ctime>
#include <vector>

int dateOf(int year, int month, int weekday, int n) {
    std::vector<int> days;
    for (int day = 1; day <= 31; ++day) {
        std::tm date{};
        date.tm_year = year - 1900;
        date.tm_mon = month - 1;
        date.tm_mday = day;
        timegm(&date);
        // a day that the month does not have becomes one of the next month
        if (date.tm_mday == day && date.tm_wday == (weekday + 1) % 7) days.push_back(day);
    }
    const int count = days.size();
    const int index = n < 0 ? count + n : n - 1;
    return n != 0 && index >= 0 && index < count ? days[index] : 0;
}
