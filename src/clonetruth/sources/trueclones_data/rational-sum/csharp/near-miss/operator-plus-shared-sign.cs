public List<int> Total(List<List<int>> fractions) {
    var sum = fractions.Where(f => f[1] != 0)
        .Select(f => new Ratio(f[0], f[1]))
        .Aggregate(new Ratio(0, 1), (left, right) => left + right);
    return new List<int> { (int)sum.Top, (int)sum.Bottom };
}

struct Ratio {
    public readonly BigInteger Top, Bottom;

    public Ratio(BigInteger top, BigInteger bottom) {
        var shared = BigInteger.GreatestCommonDivisor(top, bottom);
        Top = top / shared;
        Bottom = bottom / shared;
    }

    public static Ratio operator +(Ratio a, Ratio b) {
        return new Ratio(a.Top * b.Bottom + b.Top * a.Bottom, a.Bottom * b.Bottom);
    }
}
