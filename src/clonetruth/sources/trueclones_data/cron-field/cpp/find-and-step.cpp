#include <string>
#include <vector>

static bool selects(const std::string& item, int n, int low, int high) {
    const auto slash = item.find('/');
    const std::string range = item.substr(0, slash);
    const int step = slash == std::string::npos ? 1 : std::stoi(item.substr(slash + 1));
    if (range == "*") return (n - low) % step == 0;
    const auto dash = range.find('-');
    const int from = std::stoi(range);
    const int to = dash == std::string::npos ? from : std::stoi(range.substr(dash + 1));
    return from <= n && n <= to && (n - from) % step == 0;
}

// Asks for every number whether an item selects it.
std::vector<int> matching(const std::string& field, int low, int high) {
    std::vector<int> numbers;
    for (int n = low; n <= high; ++n) {
        std::size_t start = 0;
        while (start <= field.size()) {
            const std::size_t comma = std::min(field.find(',', start), field.size());
            if (selects(field.substr(start, comma - start), n, low, high)) {
                numbers.push_back(n);
                break;
            }
            start = comma + 1;
        }
    }
    return numbers;
}
