#include <string>
#include <vector>

std::string decomposition(int number) {
    // the smallest prime factor of every number up to a thousand
    static std::vector<int> smallest;
    if (smallest.empty()) {
        smallest.assign(1001, 0);
        for (int p = 2; p <= 1000; ++p) {
            if (smallest[p]) continue;
            for (int m = p; m <= 1000; m += p)
                if (!smallest[m]) smallest[m] = p;
        }
    }
    std::string text;
    int power = 0, rest = number;
    for (int p = 2; p <= 1000; ++p) {
        if (smallest[p] != p) continue;
        for (power = 0; rest % p == 0; ++power) rest /= p;
        if (power == 0) continue;
        text += (text.empty() ? "" : " * ") + std::to_string(p);
        if (power > 1) text += '^' + std::to_string(power);
    }
    if (rest > 1 || number == 1) text += (text.empty() ? "" : " * ") + std::to_string(rest);
    return text;
}
