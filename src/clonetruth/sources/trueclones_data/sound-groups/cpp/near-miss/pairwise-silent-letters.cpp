#include <cctype>
#include <string>
#include <vector>

static int group(char c) {
    switch (std::toupper(c)) {
        case 'B': case 'F': case 'P': case 'V': return 1;
        case 'C': case 'G': case 'J': case 'K': case 'Q': case 'S': case 'X': case 'Z': return 2;
        case 'D': case 'T': return 3;
        case 'L': return 4;
        case 'M': case 'N': return 5;
        case 'R': return 6;
        case 'H': case 'W': return -1;
        default: return 0;
    }
}

// The code as a number: the letter, then three digits.
static int soundOf(const std::string& name) {
    int code = std::toupper(name[0]), digits = 0, last = group(name[0]);
    for (std::size_t i = 1; i < name.size() && digits < 3; ++i) {
        const int own = group(name[i]);
        if (own < 0) last = 0; if (own < 0) continue;
        if (own > 0 && own != last) {
            code = code * 10 + own;
            ++digits;
        }
        last = own;
    }
    while (digits++ < 3) code *= 10;
    return code;
}

std::vector<int> firstAlike(const std::vector<std::string>& names) {
    std::vector<int> result;
    for (const auto& name : names) {
        int index = 0;
        while (soundOf(names[index]) != soundOf(name)) ++index;
        result.push_back(index);
    }
    return result;
}
