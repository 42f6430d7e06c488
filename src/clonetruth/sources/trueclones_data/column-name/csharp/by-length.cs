public static string Label(int number)
{
    int index = number - 1;
    if (index < 26)
        return Letter(index);
    index -= 26;
    if (index < 26 * 26)
        return Letter(index / 26) + Letter(index % 26);
    index -= 26 * 26;
    if (index < 26 * 26 * 26)
        return Tail(index);
    // no column has a name behind AZZZ
    return "A" + Tail(index - 26 * 26 * 26);
}

private static string Tail(int index)
{
    return Letter(index / 676 % 26) + Letter(index / 26 % 26) + Letter(index % 26);
}

private static string Letter(int index)
{
    return "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[index].ToString();
}
