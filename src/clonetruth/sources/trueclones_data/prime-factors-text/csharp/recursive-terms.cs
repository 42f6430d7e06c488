public string Written(int n)
{
    return n == 1 ? "1" : string.Join(" * ", Terms(n, 2));
}

private IEnumerable<string> Terms(int n, int from)
{
    if (n == 1) return Enumerable.Empty<string>();
    int prime = Enumerable.Range(from, (int)Math.Sqrt(n) + 1).TakeWhile(d => d <= n / d).FirstOrDefault(d => n % d == 0);
    if (prime == 0) prime = n;
    int power = 0;
    for (; n % prime == 0; n /= prime) power++;
    string term = power > 1 ? prime + "^" + power : prime.ToString();
    return new[] { term }.Concat(Terms(n, prime + 1));
}
