static IEnumerable<string> NaturalSort(IEnumerable<string> names) =>
    names.OrderBy(name => Regex.Replace(name, "[0-9]+", run => run.Value.PadLeft(8)), StringComparer.Ordinal);
