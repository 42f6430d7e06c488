public List<int> Distribute(int seats, List<int> votes)
{
    long all = votes.Sum(v => (long)v);
    var given = new List<int>();
    var rests = new List<long>();
    long left = all == 0 ? 0 : seats;
    foreach (int v in votes)
    {
        long rest = 0, whole = all == 0 ? 0 : Math.DivRem((long)v * seats, all, out rest);
        given.Add((int)whole);
        rests.Add(rest);
        left -= whole;
    }
    for (; left > 0; left--)
    {
        int at = rests.IndexOf(rests.Max());
        given[at]++;
        rests[at] += 1;
    }
    return given;
}
