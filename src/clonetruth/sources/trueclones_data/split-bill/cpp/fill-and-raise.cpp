std::vector<int> splitBill(int amount, int people) {
    const auto [share, extra] = std::div(amount, people);
    std::vector<int> payments(people, share);
    std::for_each(payments.begin(), payments.begin() + extra, [](int& cents) { ++cents; });
    return payments;
}
