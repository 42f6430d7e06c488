static List<int> Seats(int seats, List<int> votes)
{
    int sum = votes.Sum();
    var parties = new List<int>();
    var result = new List<int>();
    for (int i = 0; i < votes.Count; i++)
    {
        parties.Add(i);
        result.Add(sum > 0 ? votes[i] * seats / sum : 0);
    }
    if (sum == 0) return result;
    parties.Sort((a, b) =>
    {
        int order = (votes[b] * seats % sum).CompareTo(votes[a] * seats % sum);
        return order != 0 ? order : a - b;
    });
    int left = seats - result.Sum();
    foreach (int party in parties.GetRange(0, left))
        result[party]++;
    return result;
}
