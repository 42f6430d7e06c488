int romanValue(const std::string& numeral) {
    static const char* digits[4][9] = {
        {"CM", "DCCC", "DCC", "DC", "CD", "CCC", "CC", "D", "C"},
        {"XC", "LXXX", "LXX", "LX", "XL", "XXX", "XX", "L", "X"},
        {"IX", "VIII", "VII", "VI", "IV", "III", "II", "V", "I"},
        {"MMM", "MM", "M"}};
    static const int values[] = {9, 8, 7, 6, 4, 3, 2, 5, 1};
    size_t at = 0;
    int total = 0;
    for (int m = 0; m < 3; m++) {
        if (numeral.compare(0, 3 - m, digits[3][m]) == 0) {
            total = 3 - m;
            at = 3 - m;
            break;
        }
    }
    for (int place = 0; place < 3; place++) {
        total *= 10;
        for (int d = 0; d < 9; d++) {
            std::string form = digits[place][d];
            if (numeral.compare(at, form.size(), form) == 0) {
                total += values[d];
                at += form.size();
                break;
            }
        }
    }
    return at == numeral.size() && total > 0 ? total : -1;
}
