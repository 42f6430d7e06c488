#include <string>

// What the known digits lack, divided by the weight of the unknown one.
int unreadable(const std::string& isbn) {
    static const int inverse[11] = {0, 1, 6, 4, 3, 9, 2, 8, 7, 5, 10};
    if (isbn.size() == 13) {
        int odd = 0, even = 0;
        for (int i = 0; i < 13; ++i) {
            if (isbn[i] != '?') (i % 2 ? odd : even) += isbn[i] - '0';
        }
        const int lacking = (1000 - even - 3 * odd) % 10;
        return isbn.find('?') % 2 ? lacking * 7 % 10 : lacking;
    }
    int sum = 0, weight = 0;
    for (int i = 0; i < 10; ++i) {
        const char c = isbn[i];
        if (c == '?')
            weight = 10 - i;
        else
            sum += (10 - i) * (c == 'X' ? 10 : c - '0');
    }
    const int digit = (11 - sum % 11) * inverse[weight] % 11;
    return digit == 10 && weight > 1 ? -1 : digit;
}
