public string[] MostFrequent(string[] words, int k) {
    var counts = new SortedDictionary<string, int>(StringComparer.Ordinal);
    foreach (string word in words) {
        int seen;
        counts[word] = counts.TryGetValue(word, out seen) ? seen + 1 : 1;
    }
    var result = new List<string>();
    // One level of frequency after the other is taken as a whole until there are k words.
    for (int level = words.Length; level > 0 && result.Count <= k && k > 0; level--) {
        foreach (var entry in counts) {
            if (entry.Value == level) result.Add(entry.Key);
        }
    }
    return result.ToArray();
}
