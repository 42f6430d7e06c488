public List<int> Payments(int amount, int people) {
    int rest;
    int low = Math.DivRem(amount, people, out rest);
    var payments = new List<int>();
    // those who pay a cent more
    payments.AddRange(Enumerable.Repeat(low + rest, Math.Min(rest, 1)));
    payments.AddRange(Enumerable.Repeat(low, people - Math.Min(rest, 1)));
    return payments;
}
