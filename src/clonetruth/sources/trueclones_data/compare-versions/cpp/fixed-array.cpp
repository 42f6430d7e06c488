#include <array>
#include <cstdint>
#include <string>

static std::array<std::uint64_t, 5> parse(const std::string& version) {
    std::array<std::uint64_t, 5> parts{};
    auto part = parts.begin();
    for (char c : version) {
        if (c == '.')
            ++part;
        else
            *part = *part * 10 + (c - '0');
    }
    return parts;
}

int order(const std::string& left, const std::string& right) {
    const auto a = parse(left), b = parse(right);
    return (a > b) - (a < b);
}
