#include <cmath>
#include <sstream>
#include <string>

// A long double holds the number and ten times it exactly.
std::string sizeText(long long bytes) {
    long double value = bytes;
    const char* unit = "BKMGTP";
    while (value >= 1024) {
        value /= 1024;
        ++unit;
    }
    std::ostringstream text;
    text << std::round(value * 10) / 10 << ' ';
    if (*unit != 'B') text << *unit << 'i';
    text << 'B';
    return text.str();
}
