static int Earned(List<int> quantities, List<int> prices)
{
    IEnumerable<int> pieces = new int[0];
    int earned = 0;
    for (int i = 0; i < Math.Min(quantities.Count, prices.Count); i++)
    {
        int quantity = quantities[i], price = prices[i];
        if (quantity > 0)
        {
            pieces = pieces.Concat(Enumerable.Repeat(price, quantity)).ToList();
            continue;
        }
        earned += pieces.Take(-quantity).Sum(paid => Math.Max(0, price - paid));
        pieces = pieces.Skip(-quantity).ToList();
    }
    return earned;
}
