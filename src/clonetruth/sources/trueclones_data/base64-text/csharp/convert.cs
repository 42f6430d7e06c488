static string Encode(int[] data, bool forUrl)
{
    string text = Convert.ToBase64String(data.Select(value => (byte)value).ToArray());
    return forUrl ? text.TrimEnd('=').Replace('+', '-').Replace('/', '_') : text;
}
