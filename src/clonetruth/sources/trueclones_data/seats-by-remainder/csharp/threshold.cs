// Lowers a bar until as many rests reach it as there are seats left.
public int[] Share(int seats, int[] votes)
{
    int total = votes.Sum();
    if (total == 0) return votes;
    var result = Array.ConvertAll(votes, v => v * seats / total);
    int left = seats - result.Sum();
    for (int bar = total - 1; left > 0; bar--)
    {
        for (int i = 0; i < votes.Length && left > 0; i++)
        {
            if (votes[i] * seats % total != bar) continue;
            result[i]++;
            left--;
        }
    }
    return result;
}
