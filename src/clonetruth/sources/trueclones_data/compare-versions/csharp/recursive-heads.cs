public static int Order(string left, string right)
{
    if (left == "" && right == "") return 0;

    int dot = left.IndexOf('.'), other = right.IndexOf('.');
    decimal head = Number(dot < 0 ? left : left.Substring(0, dot));
    decimal otherHead = Number(other < 0 ? right : right.Substring(0, other));
    if (head < otherHead) return -1;
    if (head > otherHead) return 1;
    return Order(dot < 0 ? "" : left.Substring(dot + 1), other < 0 ? "" : right.Substring(other + 1));
}

private static decimal Number(string digits)
{
    decimal value = 0;
    foreach (char digit in digits)
        value = 10 * value + (digit - '0');
    return value;
}
