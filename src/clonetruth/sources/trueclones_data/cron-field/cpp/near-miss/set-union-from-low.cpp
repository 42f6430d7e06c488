#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

static std::vector<int> item(std::string text, int low, int high) {
    int step = 1, first = low, last = high;
    const auto slash = text.find('/');
    if (slash != std::string::npos) {
        step = std::stoi(text.substr(slash + 1));
        text.resize(slash);
    }
    if (text != "*") {
        first = std::stoi(text);
        last = std::stoi(text.substr(text.find('-') + 1));
    }
    first = std::max(first, low);
    std::vector<int> numbers;
    for (int n = first; n <= last; n += step) {
        if (low <= n && n <= high) numbers.push_back(n);
    }
    return numbers;
}

// The first item, united with all that follow.
std::vector<int> selection(const std::string& field, int low, int high) {
    const auto comma = field.find(',');
    const auto own = item(field.substr(0, comma), low, high);
    if (comma == std::string::npos) return own;
    const auto others = selection(field.substr(comma + 1), low, high);
    std::vector<int> all;
    std::set_union(own.begin(), own.end(), others.begin(), others.end(), std::back_inserter(all));
    return all;
}
