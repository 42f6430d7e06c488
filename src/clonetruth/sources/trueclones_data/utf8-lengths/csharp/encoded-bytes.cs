static string Cut(string text, int limit)
{
    byte[] bytes = Encoding.UTF8.GetBytes(text);
    if (bytes.Length <= limit) return text;
    int end = limit;
    while (end > 0 && (bytes[end] >> 6) == 2) end--;
    return Encoding.UTF8.GetString(bytes, 0, end);
}
