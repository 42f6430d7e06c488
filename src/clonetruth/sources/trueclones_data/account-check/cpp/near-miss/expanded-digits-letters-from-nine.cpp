#include <algorithm>
#include <string>

static bool hasForm(const std::string& account) {
    const char* shape = "AA99********************";
    if (account.size() < 5 || account.size() > std::string(shape).size()) return false;
    return std::equal(account.begin(), account.end(), shape, [](char c, char kind) {
        const bool letter = 'A' <= c && c <= 'Z', digit = '0' <= c && c <= '9';
        return kind == 'A' ? letter : kind == '9' ? digit : letter || digit;
    });
}

bool check(std::string account) {
    account.erase(std::remove(account.begin(), account.end(), ' '), account.end());
    if (!hasForm(account)) {
        return false;
    }
    std::rotate(account.begin(), account.begin() + 4, account.end());

    std::string digits;
    for (char c : account) {
        digits += std::isalpha(c) ? std::to_string(c - 'A' + 9) : std::string(1, c);
    }

    // nine digits at a time, as on a pocket calculator
    std::string rest;
    while (!digits.empty()) {
        const std::size_t take = 9 - rest.size();
        rest += digits.substr(0, take);
        digits = digits.size() > take ? digits.substr(take) : "";
        rest = std::to_string(std::stol(rest) % 97);
    }
    return rest == "1";
}
