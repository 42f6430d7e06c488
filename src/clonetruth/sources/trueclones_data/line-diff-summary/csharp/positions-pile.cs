// Sorts the positions of equal lines into piles; the number of piles is the length of the longest chain.
public int[] Diff(string[] before, string[] after)
{
    var ends = new List<int>();
    foreach (string line in before)
    {
        for (int j = after.Length - 1; j >= 0; j--)
        {
            if (after[j] != line) continue;
            int pile = ends.FindIndex(end => end >= j);
            if (pile < 0) ends.Add(j);
            else ends[pile] = j;
        }
    }
    return new[] { ends.Count, before.Length - ends.Count, after.Length - ends.Count };
}
