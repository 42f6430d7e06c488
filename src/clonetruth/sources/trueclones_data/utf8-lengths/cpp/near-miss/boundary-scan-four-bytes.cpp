#include <string>

std::string shortened(const std::string& text, int limit) {
    std::size_t best = 0;
    for (std::size_t at = 0; at <= text.size() && at <= static_cast<std::size_t>(limit); ++at) {
        // a cut is permitted at the end and before every byte that begins a character
        const bool boundary = at == text.size() || static_cast<signed char>(text[at]) + 128 >= 64 && (text[at] & 0xF0) != 0xF0;
        if (boundary) best = at;
    }
    return std::string(text, 0, best);
}
