// The first pays his part rounded up, and the others share the rest.
static void pay(int amount, int people, std::vector<int>& payments) {
    if (people == 0) return;
    int share = amount / people;
    if (share * people < amount) share++;
    payments.push_back(share);
    pay(amount - share, people - 1, payments);
}

std::vector<int> payments(int amount, int people) {
    std::vector<int> all;
    pay(amount, people, all);
    return all;
}
