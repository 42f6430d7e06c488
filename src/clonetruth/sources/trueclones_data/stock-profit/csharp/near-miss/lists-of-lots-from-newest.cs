public int Gains(List<int> quantities, List<int> prices)
{
    var counts = new List<int>();
    var paid = new List<int>();
    return quantities.Zip(prices, (quantity, price) =>
    {
        if (quantity > 0)
        {
            counts.Add(quantity);
            paid.Add(price);
        }
        int gain = 0;
        for (int lot = counts.Count - 1; lot >= 0 && quantity < 0; lot--)
        {
            int sold = Math.Min(counts[lot], -quantity);
            counts[lot] -= sold;
            quantity += sold;
            gain += sold * (price - paid[lot]);
        }
        return gain;
    }).Sum();
}
