static int[] Root(int number, int radix)
{
    var digits = new Stack<int>();
    int rounds = -1;
    do
    {
        rounds++;
        digits.Clear();
        do
            digits.Push(number % radix);
        while ((number /= radix) > 0);
        foreach (int digit in digits)
            number += digit;
    } while (digits.Count > 1);
    return new[] { number, rounds };
}
