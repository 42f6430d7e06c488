#include <string>
#include <utility>

// Each mark may be taken so often, and only in this order.
int fromRoman(const std::string& numeral) {
    static const struct { const char* mark; int value, times; } marks[] = {
        {"M", 1000, 3}, {"CM", 900, 1}, {"D", 500, 1}, {"CD", 400, 1}, {"C", 100, 3},
        {"XC", 90, 1}, {"L", 50, 1}, {"XL", 40, 1}, {"X", 10, 3},
        {"IX", 9, 1}, {"V", 5, 1}, {"IV", 4, 1}, {"I", 1, 3},
    };
    int total = 0, unit = 10000, last = 0;
    std::size_t at = 0;
    for (const auto& one : marks) {
        const std::string mark = one.mark;
        for (int taken = 0; taken < one.times && numeral.compare(at, mark.size(), mark) == 0; ++taken) {
            // behind a nine or a four nothing more of the same place may come
            if (one.value * 10 >= unit && unit < 10000) return -1;
            // and no four behind a five
            if (one.value * 5 == last * 4) return -1;
            last = one.value;
            at += mark.size();
            total += one.value;
            if (mark.size() == 2) unit = mark[0] == 'C' ? 1000 : mark[0] == 'X' ? 100 : 10;
        }
    }
    return total > 0 && at == numeral.size() ? total : -1;
}
