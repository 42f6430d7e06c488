#include <algorithm>
#include <cmath>
#include <vector>

std::vector<int> repay(int amount, int rate, int payment) {
    std::vector<int> after;
    double balance = amount;
    while (balance > 0 && after.size() < 12) {
        const double interest = std::floor(balance * rate / 120000 + 0.5);
        balance = std::max(balance + interest - payment, 0.0);
        after.push_back(static_cast<int>(balance));
    }
    return after;
}
