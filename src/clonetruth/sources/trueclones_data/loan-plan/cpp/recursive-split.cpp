static void months(long long balance, int rate, int payment, vector<int>& out) {
    long long interest = (balance * rate / 60000 + 1) / 2;
    long long left = balance + interest - payment;
    out.push_back(left > 0 ? left : 0);
    if (left > 0 && out.size() < 12) months(left, rate, payment, out);
}

vector<int> plan(int amount, int rate, int payment) {
    vector<int> out;
    months(amount, rate, payment, out);
    return out;
}
