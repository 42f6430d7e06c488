public List<int> ReadAll(List<int> data) {
    if (data.Count == 0) return new List<int>();
    int more = data.TakeWhile(b => b > 127).Count();
    if (more == data.Count || more >= 4) return new List<int> { -1 };
    int number = data.Take(more + 1).Reverse().Aggregate(0, (sum, b) => sum << 7 | b & 127);
    var rest = ReadAll(data.Skip(more + 1).ToList());
    rest.Insert(0, number);
    return rest;
}
