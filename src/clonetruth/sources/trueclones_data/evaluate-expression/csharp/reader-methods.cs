public int Evaluate(string expression)
{
    return Sum(new StringReader(expression));
}

private static int Sum(TextReader reader)
{
    int value = Product(reader);
    for (int sign; (sign = reader.Peek()) == '+' || sign == '-';)
    {
        reader.Read();
        value += (sign == '+' ? 1 : -1) * Product(reader);
    }
    return value;
}

private static int Product(TextReader reader)
{
    int value = Operand(reader);
    while (reader.Peek() == '*')
    {
        reader.Read();
        value *= Operand(reader);
    }
    return value;
}

private static int Operand(TextReader reader)
{
    int first = reader.Read() - '0';
    if (first == '(' - '0')
    {
        int inner = Sum(reader);
        reader.Read();
        return inner;
    }
    // a number has two digits at most
    return char.IsDigit((char)Math.Max(reader.Peek(), 0)) ? 10 * first + reader.Read() - '0' : first;
}
