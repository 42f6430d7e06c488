static int Digit(string isbn)
{
    int modulus = isbn.Length == 10 ? 11 : 10;
    // how far the check sum moves when the digit grows by one
    int start = Sum(isbn.Replace('?', '0')), step = Sum(isbn.Replace('?', '1')) - start;
    for (int digit = 0; digit < 10; digit++)
    {
        if ((start + digit * step) % modulus == 0)
            return digit;
    }
    return (start + 10 * step) % modulus == 0 ? 10 : -1;
}

static int Sum(string isbn)
{
    int sum = 0;
    for (int i = 0; i < isbn.Length; i++)
    {
        int value = isbn[i] == 'X' ? 10 : isbn[i] - '0';
        sum += value * (isbn.Length == 10 ? 10 - i : 1 + 2 * (i % 2));
    }
    return sum;
}
