// Works from the right: every digit counts its power of ten modulo 97.
public bool HasRightCheckDigits(string text)
{
    char[] kept = text.Where(c => c != ' ').ToArray();
    if (!HasForm(kept))
        return false;

    int sum = 0, weight = 1;
    foreach (char c in kept.Skip(4).Concat(kept.Take(4)).Reverse())
    {
        int value = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ".IndexOf(c);
        sum = (sum + value * weight) % 97;
        weight = weight * (value < 10 ? 10 : 100) % 97;
    }
    return sum == 1;
}

private static bool HasForm(char[] account)
{
    if (account.Length < 5 || account.Length > 24)
        return false;
    for (int i = 0; i < account.Length; i++)
    {
        bool letter = account[i] >= 'A' && account[i] <= 'Z';
        bool digit = account[i] >= '0' && account[i] <= '9';
        if (i < 2 && !letter) return false;
        if (i >= 2 && i < 4 && !digit) return false;
        if (!letter && !digit) return false;
    }
    return true;
}
