public string Base64(List<int> data, bool forUrl)
{
    const string table = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    var text = new StringBuilder();
    int rest = 0;
    for (int i = 0; i < data.Count; i++)
    {
        int phase = i % 3;
        int value = phase == 0 ? data[i] >> 2 : phase == 1 ? rest << 4 | data[i] >> 4 : rest << 2 | data[i] >> 6;
        rest = phase == 0 ? data[i] & 3 : phase == 1 ? data[i] & 15 : data[i] & 63;
        Append(text, value, forUrl, table);
        if (phase == 2) Append(text, rest, forUrl, table);
    }
    if (data.Count % 3 == 1) Append(text, rest << 4, forUrl, table);
    if (data.Count % 3 == 2) Append(text, rest << 2, forUrl, table);
    if (!forUrl && data.Count % 3 != 0) text.Append('=', 3 - data.Count % 3);
    return text.ToString();
}

private void Append(StringBuilder text, int value, bool forUrl, string table)
{
    if (value < table.Length) text.Append(table[value]);
    else text.Append(value == 62 ? (forUrl ? '-' : '+') : (forUrl ? '-' : '/'));
}
