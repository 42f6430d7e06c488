static int[] Apportion(int seats, int[] votes)
{
    int total = votes.Sum();
    if (total == 0) return new int[votes.Length];
    int[] result = votes.Select(v => v * seats / total).ToArray();
    var winners = Enumerable.Range(0, votes.Length).Reverse()
        .OrderByDescending(i => votes[i] * seats % total)
        .Take(seats - result.Sum())
        .ToList();
    foreach (int i in winners) result[i]++;
    return result;
}
