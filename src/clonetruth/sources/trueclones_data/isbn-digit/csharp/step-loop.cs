public int Recover(string isbn)
{
    int n = isbn.Length, modulus = n == 13 ? 10 : 11;
    int rest = 0, step = 0;
    int weight = n == 13 ? 1 : 10;
    foreach (char c in isbn)
    {
        if (char.IsDigit(c)) rest += weight * (int)char.GetNumericValue(c);
        else if (c == 'X') rest += 10;
        else step = weight;
        weight = n == 13 ? 4 - weight : weight - 1;
    }
    for (int value = 0; value < modulus; value++, rest += step)
    {
        if (rest % modulus != 0) continue;
        return value == 10 && step != 1 ? -1 : value;
    }
    return -1;
}
