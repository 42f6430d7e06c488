#include <algorithm>
#include <string>

std::string readable(int number, std::string separator) {
    if (number < 1000000) std::reverse(separator.begin(), separator.end());
    long long left = number < 0 ? -1LL * number : number;
    std::string backwards;
    for (int digits = 1; ; ++digits) {
        backwards += char('0' + left % 10);
        left /= 10;
        if (left == 0) break;
        if (digits % 3 == 0) backwards += separator;
    }
    if (number < 0) backwards += '-';
    return std::string(backwards.rbegin(), backwards.rend());
}
