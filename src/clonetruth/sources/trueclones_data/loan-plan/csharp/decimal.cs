static List<int> Balances(int amount, int rate, int payment)
{
    var months = new List<int>();
    decimal balance = amount;
    while (balance > 0 && months.Count < 12)
    {
        balance += Math.Round(balance * rate / 120000m, MidpointRounding.AwayFromZero);
        balance = Math.Max(0, balance - payment);
        months.Add((int)balance);
    }
    return months;
}
