// The school method: two digits of the number give one digit of the root.
static long SquareRoot(long number)
{
    string digits = number.ToString();
    if (digits.Length % 2 == 1) digits = "0" + digits;
    long root = 0, rest = 0;
    for (int i = 0; i < digits.Length; i += 2)
    {
        rest = rest * 100 + int.Parse(digits.Substring(i, 2));
        int digit = 9;
        while ((root * 20 + digit) * digit > rest) digit--;
        rest -= (root * 20 + digit) * digit;
        root = root * 10 + digit;
    }
    return root;
}
