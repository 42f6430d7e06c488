static int Missing(string isbn)
{
    bool ten = isbn.Length == 10;
    string candidates = ten && isbn[9] == '?' ? "0123456789X" : "0123456789";
    foreach (char candidate in candidates)
    {
        string full = isbn.Replace('?', candidate);
        int sum = full.Select((c, i) => "0123456789X".IndexOf(c) * (ten ? 10 - i : i % 2 != 0 ? 1 : 3)).Sum();
        if (sum % (ten ? 11 : 10) == 0) return candidates.IndexOf(candidate);
    }
    return -1;
}
