public List<int> Payments(int amount, int people) {
    int rest;
    int low = Math.DivRem(amount, people, out rest);
    var payments = new List<int>();
    // those who pay a cent more
    payments.AddRange(Enumerable.Repeat(low + 1, rest));
    payments.AddRange(Enumerable.Repeat(low, people - rest));
    return payments;
}
