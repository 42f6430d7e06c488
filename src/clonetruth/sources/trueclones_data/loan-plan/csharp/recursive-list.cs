public LinkedList<int> Balances(int amount, int rate, int payment)
{
    return Rest(amount, rate / 120000d, payment, 12);
}

private LinkedList<int> Rest(double balance, double monthly, int payment, int months)
{
    if (months == 0 || balance <= 0)
        return new LinkedList<int>();
    // adding a little makes up for what the monthly rate lacks
    double interest = Math.Round(balance * monthly + 1e-7, MidpointRounding.AwayFromZero);
    double left = Math.Max(0, balance + interest - payment);
    var following = Rest(left, monthly, payment, months - 1);
    following.AddFirst((int)left);
    return following;
}
