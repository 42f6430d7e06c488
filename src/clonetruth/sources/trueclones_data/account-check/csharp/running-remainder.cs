static bool Check(string text)
{
    string account = string.Concat(text.Split(' '));
    if (account.Length < 5 || account.Length > 24)
        return false;
    int remainder = 0;
    for (int i = 0; i < account.Length; i++)
    {
        char c = account[(i + 4) % account.Length];
        int place = (i + 4) % account.Length;
        bool letter = c >= 'A' && c <= 'Z';
        if (!letter && (c < '0' || c > '9')) return false;
        if (place < 2 && !letter || place >= 2 && place < 4 && letter) return false;
        remainder = letter
            ? (remainder * 100 + c - 'A' + 10) % 97
            : (remainder * 10 + c - '0') % 97;
    }
    return remainder == 1;
}
