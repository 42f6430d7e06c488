// Whole multiples of the divisor are taken out first, so that nothing needs more than 32 bits.
std::vector<int> monthlyBalances(int amount, int rate, int payment) {
    const int divisor = 120000;
    std::vector<int> months;
    int left = amount;
    for (int month = 1; month <= 12 && left != 0; ++month) {
        const int whole = left / divisor * rate;
        const int part = left % divisor * rate;
        left += whole + part / divisor;
        if (part % divisor * 2 > divisor) ++left;
        left = left > payment ? left - payment : 0;
        months.push_back(left);
    }
    return months;
}
