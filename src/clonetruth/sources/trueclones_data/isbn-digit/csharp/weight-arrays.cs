public int Solve(string isbn)
{
    int[] weights = isbn.Length == 10
        ? new[] { 10, 9, 8, 7, 6, 5, 4, 3, 2, 1 }
        : new[] { 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1 };
    int unknown = weights[isbn.IndexOf('?')];
    int known = weights.Zip(isbn, (w, c) => c == '?' ? 0 : w * (c == 'X' ? 10 : (int)char.GetNumericValue(c))).Sum();
    var digits = Enumerable.Range(0, unknown == 1 && weights[0] == 10 ? 11 : 10);
    return digits.Where(d => (known + unknown * d) % (isbn.Length == 10 ? 11 : 10) == 0).DefaultIfEmpty(-1).First();
}
