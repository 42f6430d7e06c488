#include <map>
#include <string>
#include <vector>

std::vector<std::string> edited(const std::vector<std::string>& lines, const std::vector<std::string>& edits) {
    // Own lines have even places, what is inserted behind them odd ones; equal places keep their order.
    std::multimap<int, std::string> places;
    int number = 0;
    for (const auto& line : lines) places.insert({2 * ++number, line});
    for (const auto& edit : edits) {
        const int at = edit[0] - '0';
        if (at > number) continue;
        if (edit[1] == '+') {
            places.insert({2 * at + 1, edit.substr(2)});
        } else if (at > 0) {
            const bool there = places.erase(2 * at) > 0;
            if (edit[1] == '=' && there) places.insert({2 * at, edit.substr(2)});
        }
    }
    std::vector<std::string> result;
    for (const auto& place : places) result.push_back(place.second);
    return result;
}
