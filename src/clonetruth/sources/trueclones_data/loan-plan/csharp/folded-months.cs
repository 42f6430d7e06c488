static List<int> Months(int amount, int rate, int payment)
{
    return Enumerable.Range(1, 12).Aggregate(new List<int>(), (months, number) =>
    {
        long balance = number == 1 ? amount : months.Last();
        if (balance == 0) return months;
        balance += (2 * balance * rate + 120000) / 240000;
        months.Add((int)Math.Max(balance - payment, 0));
        return months;
    });
}
