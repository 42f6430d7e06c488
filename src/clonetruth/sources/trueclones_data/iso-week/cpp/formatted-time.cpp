#include <ctime>
#include <string>

int weekOfDate(int year, int month, int day) {
    std::tm date{};
    date.tm_year = year - 1900;
    date.tm_mon = month - 1;
    date.tm_mday = day;
    timegm(&date);  // fills in the weekday and the day of the year
    char week[3];
    std::strftime(week, sizeof week, "%V", &date);
    return std::stoi(week);
}
