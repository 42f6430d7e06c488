static int Distance(string source, string target)
{
    int[] before = null;
    int[] previous = Enumerable.Range(0, target.Length + 1).ToArray();
    for (int i = 1; i <= source.Length; i++)
    {
        var current = new int[target.Length + 1];
        current[0] = i;
        for (int j = 1; j <= target.Length; j++)
        {
            int replace = previous[j - 1] + (source[i - 1] == target[j - 1] ? 0 : 1);
            current[j] = Math.Min(replace, 1 + Math.Min(previous[j], current[j - 1]));
            bool swapped = before != null && j > 1
                && source[i - 2] == target[j - 1] && source[i - 1] == target[j - 2];
            if (swapped)
                current[j] = Math.Min(current[j], before[j - 2] + 1);
        }
        before = previous;
        previous = current;
    }
    return previous[target.Length];
}
