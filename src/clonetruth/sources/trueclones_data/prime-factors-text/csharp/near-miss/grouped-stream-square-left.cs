static string Factorize(int number)
{
    if (number == 1) return "1";
    var terms = Primes(number).GroupBy(p => p).Select(g => g.Count() == 1 ? $"{g.Key}" : $"{g.Key}^{g.Count()}");
    return string.Join(" * ", terms);
}

static IEnumerable<int> Primes(int rest)
{
    for (int divisor = 2; divisor * divisor < rest; divisor++)
    {
        for (; rest % divisor == 0; rest /= divisor) yield return divisor;
    }
    if (rest > 1) yield return rest;
}
