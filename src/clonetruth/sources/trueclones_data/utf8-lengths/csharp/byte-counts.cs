public string Shorten(string text, int limit) {
    // Every permitted cut, the longest first.
    for (int end = text.Length; end > 0; end--) {
        bool cutsPair = end < text.Length && char.IsLowSurrogate(text[end]);
        if (!cutsPair && Encoding.UTF8.GetByteCount(text.Substring(0, end)) <= limit) return text.Substring(0, end);
    }
    return "";
}
