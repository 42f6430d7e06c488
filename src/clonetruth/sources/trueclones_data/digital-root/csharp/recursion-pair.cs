public IList<int> Reduce(int number, int b)
{
    if (number / b == 0)
        return new List<int> { number, 0 };
    int power = b, sum = 0;
    // take off the highest digits first
    while (number / power >= b)
        power *= b;
    while (power > 0)
    {
        sum += number / power;
        number -= number / power * power;
        power /= b;
    }
    var rest = Reduce(sum, b);
    rest[1]++;
    return rest;
}
