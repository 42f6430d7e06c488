#include <cmath>
#include <cstdio>
#include <string>

// nearbyint rounds halves to the even number, and a thousandth part of a whole number is half only if it is exactly.
std::string toCents(const std::string& amount) {
    std::string digits = amount;
    const auto point = digits.find('.');
    int places = 0;
    if (point != std::string::npos) {
        places = digits.size() - point - 1;
        digits.erase(point, 1);
    }
    digits.append(5 - places, '0');
    const long cents = std::lrint(std::nearbyint(std::stol(digits) / 1000.0));
    char text[24];
    std::snprintf(text, sizeof text, "%s%ld.%02ld", cents < 0 ? "-" : "", std::labs(cents) / 100, std::labs(cents) % 100);
    return text;
}
