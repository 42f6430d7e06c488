static int Profit(int[] quantities, int[] prices)
{
    var stock = new Queue<int>();
    int total = 0;
    for (int i = 0; i < quantities.Length && i < prices.Length; i++)
    {
        for (int k = 0; k < quantities[i]; k++) stock.Enqueue(prices[i]);
        for (int k = quantities[i]; k < 0 && stock.Count > 1; k++) total += prices[i] - stock.Dequeue();
    }
    return total;
}
