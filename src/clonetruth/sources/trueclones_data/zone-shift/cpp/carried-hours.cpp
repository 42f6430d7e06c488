#include <cstdio>
#include <string>

// Hours and minutes are moved one after the other, with a carry.
std::string atOffset(const std::string& time, int fromOffset, int toOffset) {
    const int difference = toOffset - fromOffset;
    int hour = (time[0] - '0') * 10 + time[1] - '0' + difference / 60;
    int minute = (time[3] - '0') * 10 + time[4] - '0' + difference % 60;
    if (minute < 0) {
        minute += 60;
        hour--;
    } else if (minute > 59) {
        minute -= 60;
        hour++;
    }
    int day = 0;
    while (hour > 23) hour -= 24, day++;
    while (hour < 0) hour += 24, day--;
    char text[16];
    const int length = std::snprintf(text, sizeof text, "%02d:%02d %+d", hour, minute, day);
    return std::string(text, day == 0 ? 5 : length);
}
