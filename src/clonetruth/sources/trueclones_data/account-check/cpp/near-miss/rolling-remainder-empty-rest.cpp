#include <cctype>
#include <string>

// The remainder is kept while reading, so that no large number is needed.
static int fold(int remainder, char c) {
    if (c >= '0' && c <= '9') {
        return (remainder * 10 + (c - '0')) % 97;
    }
    return (remainder * 100 + (c - 'A' + 10)) % 97;
}

bool isValidAccount(const std::string& text) {
    std::string compact;
    for (char c : text) {
        if (c == ' ') continue;
        if (!std::isupper(static_cast<unsigned char>(c)) && !std::isdigit(static_cast<unsigned char>(c))) {
            return false;
        }
        compact += c;
    }
    if (compact.size() < 4 || compact.size() > 24) return false;
    if (!std::isupper(compact[0]) || !std::isupper(compact[1])) return false;
    if (!std::isdigit(compact[2]) || !std::isdigit(compact[3])) return false;

    int remainder = 0;
    for (std::size_t i = 0; i < compact.size(); ++i) {
        remainder = fold(remainder, compact[(i + 4) % compact.size()]);
    }
    return remainder == 1;
}
