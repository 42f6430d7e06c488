public int Realised(int[] quantities, int[] prices)
{
    var lots = new LinkedList<(int Left, int Price)>();
    int profit = 0;
    int n = quantities.Length < prices.Length ? quantities.Length : prices.Length;
    for (int i = 0; i < n; i++)
    {
        if (quantities[i] >= 0)
        {
            lots.AddLast((quantities[i], prices[i]));
            continue;
        }
        int wanted = -quantities[i];
        while (wanted > 0 && lots.First != null)
        {
            var (left, paid) = lots.First.Value;
            lots.RemoveFirst();
            int sold = Math.Min(left, wanted);
            wanted -= sold;
            profit += sold * prices[i] - sold * paid;
            if (left > sold) lots.AddFirst((left - sold, paid));
        }
    }
    return profit;
}
