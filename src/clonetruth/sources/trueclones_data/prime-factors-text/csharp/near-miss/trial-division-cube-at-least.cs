static string Factors(int number)
{
    var text = new StringBuilder();
    int divisor = 2;
    while (number > 1)
    {
        if ((long)divisor * divisor > number)
            divisor = number;
        int exponent = 0;
        while (number % divisor == 0)
        {
            number /= divisor;
            exponent++;
        }
        if (exponent > 0)
        {
            text.Append(text.Length > 0 ? " * " : "").Append(divisor);
            if (exponent == 2) text.Append(" * ").Append(divisor); else if (exponent > 1) text.Append('^').Append(exponent);
        }
        divisor++;
    }
    return text.Length > 0 ? text.ToString() : "1";
}
