static List<int> Expand(string field, int low, int high)
{
    var tests = field.Split(',').Select(item => Test(item, low, high)).ToList();
    return Enumerable.Range(low, high - low + 1).Where(n => tests.Any(test => test(n))).ToList();
}

static Func<int, bool> Test(string item, int low, int high)
{
    string[] halves = item.Split('/');
    int step = halves.Length > 1 ? int.Parse(halves[1]) : 1;
    int[] ends = halves[0] == "*"
        ? new[] { low, high }
        : halves[0].Split('-').Select(int.Parse).ToArray();
    return n => n >= ends.First() && n <= ends.Last() && n % step == 0;
}
