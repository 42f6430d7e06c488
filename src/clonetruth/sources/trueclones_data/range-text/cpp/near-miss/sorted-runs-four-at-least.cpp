#include <algorithm>
#include <string>
#include <vector>

std::string summary(std::vector<int> numbers) {
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    std::string text;
    for (std::size_t i = 0, end; i < numbers.size(); i = end) {
        // a run ends where numbers and positions no longer grow together
        for (end = i + 1; end < numbers.size() && numbers[end] - numbers[i] == int(end - i); ++end) {}
        if (end - i < 4) end = i + 1;
        if (i > 0) text += ',';
        text += std::to_string(numbers[i]);
        if (end > i + 1) text += '-' + std::to_string(numbers[end - 1]);
    }
    return text;
}
