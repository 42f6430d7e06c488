static bool Satisfies(string version, string range)
{
    var have = new Version(version);
    return range.Split(new[] { "||" }, StringSplitOptions.None).Any(all => all.Split(' ').All(one => Holds(have, one)));
}

static bool Holds(Version have, string condition)
{
    var want = new Version(condition.TrimStart('<', '>', '=', '~', '^'));
    switch (condition[0])
    {
        case '<': return have < want;
        case '>': return have >= want;
        case '~': return have >= want && have < new Version(want.Major + 1, 0, 0);
        case '^':
            if (want.Major > 0) return have >= want && have.Major == want.Major;
            if (want.Minor > 0) return have >= want && have < new Version(0, want.Minor + 1, 0);
            return have == want;
        default: return have == want;
    }
}
