#include <cctype>
#include <string>

// From the right, each character counts its place modulo 97; a letter takes two places.
bool rightDigits(const std::string& text) {
    std::string a;
    for (char c : text)
        if (c != ' ') a.push_back(c);
    const int n = a.size();
    if (n < 5 || n > 24) return false;

    int sum = 0, weight = 1;
    for (int k = n - 1; k >= 0; --k) {
        const int at = (k + 4) % n;
        const char c = a[at];
        const bool digit = c >= '0' && c <= '9';
        const bool capital = c >= 'A' && c <= 'Z';
        if (!digit && !capital) return false;
        if (at < 4 && capital != (at < 2) && at != 1) return false;
        sum += weight * (digit ? c - '0' : c - 'A' + 10);
        weight = weight * (digit ? 10 : 100) % 97;
    }
    return sum % 97 == 1;
}
