public IEnumerable<string> Lines(string text, int width) {
    string[] words = Regex.Matches(text, "[a-z]+").Cast<Match>().Select(m => m.Value).ToArray();
    // ends[i]: the length of words 0 to i - 1, each with a space behind it
    var ends = new int[words.Length + 1];
    for (int i = 0; i < words.Length; i++) ends[i + 1] = ends[i] + words[i].Length + 1;
    for (int first = 0, next; first < words.Length; first = next) {
        next = first + 1;
        while (next < words.Length && ends[next + 1] - ends[first] - 1 < width) next++;
        yield return string.Join(" ", words, first, next - first);
    }
}
