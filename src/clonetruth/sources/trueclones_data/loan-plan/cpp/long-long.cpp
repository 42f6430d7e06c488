std::vector<int> balances(int amount, int rate, int payment) {
    std::vector<int> result;
    long long balance = amount;
    do {
        balance += (balance * rate + 60000) / 120000;
        balance -= std::min<long long>(balance, payment);
        result.push_back(balance);
    } while (balance > 0 && result.size() < 12);
    return result;
}
