static string ToBase64(List<int> data, bool forUrl)
{
    const string alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_";
    string bits = string.Concat(data.Select(b => Convert.ToString(b, 2).PadLeft(8, '0')));
    var text = new StringBuilder();
    for (int at = 0; at < bits.Length; at += 6)
    {
        int value = Convert.ToInt32(bits.Substring(at, Math.Min(6, bits.Length - at)).PadLeft(6, '0'), 2);
        text.Append(alphabet[forUrl && value > 61 ? value + 2 : value]);
    }
    if (!forUrl)
        text.Append("===".Substring(0, (4 - text.Length % 4) % 4));
    return text.ToString();
}
