static string Encode(int[] data, bool forUrl)
{
    string text = Convert.ToBase64String(data.Select(value => (byte)value).ToArray());
    return forUrl ? (text.EndsWith("=") ? text.Substring(0, text.Length - 1) : text).Replace('+', '-').Replace('/', '_') : text;
}
