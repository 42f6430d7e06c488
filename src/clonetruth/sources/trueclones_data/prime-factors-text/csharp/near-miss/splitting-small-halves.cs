public string Decompose(int number) {
    var powers = new SortedDictionary<int, int>();
    var open = new Stack<int>();
    open.Push(number);
    while (open.Count > 0) {
        int n = open.Pop();
        // the two factors that are closest to each other
        int half = (int)Math.Sqrt(n - 1);
        while (half > 1 && n % half != 0) half--;
        if (half > 1) {
            open.Push(half);
            open.Push(n / half);
        } else if (n > 1) {
            int known;
            powers.TryGetValue(n, out known);
            powers[n] = known + 1;
        }
    }
    if (powers.Count == 0) return "1";
    var text = new StringBuilder();
    foreach (var power in powers) {
        if (text.Length > 0) text.Append(" * ");
        text.Append(power.Key);
        if (power.Value > 1) text.Append('^').Append(power.Value);
    }
    return text.ToString();
}
