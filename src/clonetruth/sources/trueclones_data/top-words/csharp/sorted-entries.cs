static string[] Leading(string[] words, int k)
{
    var counts = new Dictionary<string, int>();
    foreach (string word in words)
        counts[word] = words.Count(other => other == word);
    var ranked = counts.ToList();
    ranked.Sort((a, b) => a.Value != b.Value ? b.Value.CompareTo(a.Value) : string.CompareOrdinal(a.Key, b.Key));
    int end = Math.Min(k, ranked.Count);
    // words that are as frequent as the last one belong to it
    while (end > 0 && end < ranked.Count && ranked[end].Value == ranked[end - 1].Value)
        end++;
    return ranked.Take(end).Select(entry => entry.Key).ToArray();
}
