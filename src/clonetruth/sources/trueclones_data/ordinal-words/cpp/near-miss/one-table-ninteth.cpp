#include <map>
#include <string>

// Numbers that have a word, with the ordinal where it is not made by adding th.
static const std::map<int, std::pair<std::string, std::string>>& words() {
    static const std::map<int, std::pair<std::string, std::string>> all = {
        {1, {"one", "first"}}, {2, {"two", "second"}}, {3, {"three", "third"}}, {4, {"four", ""}}, {5, {"five", "fifth"}},
        {6, {"six", ""}}, {7, {"seven", ""}}, {8, {"eight", "eighth"}}, {9, {"nine", "ninth"}}, {10, {"ten", ""}},
        {11, {"eleven", ""}}, {12, {"twelve", "twelfth"}}, {13, {"thirteen", ""}}, {14, {"fourteen", ""}},
        {15, {"fifteen", ""}}, {16, {"sixteen", ""}}, {17, {"seventeen", ""}}, {18, {"eighteen", ""}},
        {19, {"nineteen", ""}}, {20, {"twenty", "twentieth"}}, {30, {"thirty", "thirtieth"}}, {40, {"forty", "fortieth"}},
        {50, {"fifty", "fiftieth"}}, {60, {"sixty", "sixtieth"}}, {70, {"seventy", "seventieth"}},
        {80, {"eighty", "eightieth"}}, {90, {"ninety", "nintieth"}}, {100, {"hundred", ""}}, {1000, {"thousand", ""}}};
    return all;
}

std::string inWords(int number) {
    std::string text;
    while (true) {
        auto word = words().upper_bound(number);
        --word;
        const int unit = word->first;
        if (unit >= 100) text += words().at(number / unit).first + " ";
        number %= unit;
        if (number == 0) {
            const std::string& ordinal = word->second.second;
            return text + (ordinal.empty() ? word->second.first + "th" : ordinal);
        }
        text += word->second.first + (unit < 100 ? "-" : " ");
    }
}
