public int Precedence(string left, string right) {
    SemVer a = SemVer.Parse(left), b = SemVer.Parse(right);
    return a == null || b == null ? -2 : a.CompareTo(b);
}

class SemVer : IComparable<SemVer> {
    int major, minor, patch;
    List<string> labels = new List<string>();

    public static SemVer Parse(string text) {
        string[] build = text.Split('+');
        if (build.Length > 2 || build.Length == 2 && build[1].Split('.').Contains("")) return null;
        int cut = build[0].IndexOf('-');
        string[] core = (cut < 0 ? build[0] : build[0].Substring(0, cut)).Split('.');
        if (core.Length != 3 || !core.All(IsNumber) || core.Any(HasLeadingZero)) return null;
        var version = new SemVer {
            major = int.Parse(core[0]),
            minor = int.Parse(core[1]),
            patch = int.Parse(core[2])
        };
        if (cut >= 0) version.labels.AddRange(build[0].Substring(cut + 1).Split('.'));
        if (version.labels.Any(label => label == "" || IsNumber(label) && HasLeadingZero(label))) return null;
        return version;
    }

    static bool IsNumber(string s) => s != "" && s.All(c => c >= '0' && c <= '9');

    static bool HasLeadingZero(string s) => s.Length > 1 && s[0] == '0';

    public int CompareTo(SemVer other) {
        if (major != other.major) return major < other.major ? -1 : 1;
        if (minor != other.minor) return minor < other.minor ? -1 : 1;
        if (patch != other.patch) return patch < other.patch ? -1 : 1;
        // A finished version comes after all of its previews.
        if (labels.Count == 0) return other.labels.Count == 0 ? 0 : 1;
        if (other.labels.Count == 0) return -1;
        for (int i = 0; i < labels.Count; i++) {
            if (i == other.labels.Count) return 1;
            string mine = labels[i], its = other.labels[i];
            if (mine == its) continue;
            bool number = IsNumber(mine);
            if (number != IsNumber(its)) return number ? -1 : 1;
            // Without leading zeros the longer number is the larger one.
            if (number && mine.Length != its.Length) return mine.Length < its.Length ? -1 : 1;
            return string.CompareOrdinal(mine, its) < 0 ? -1 : 1;
        }
        return labels.Count == other.labels.Count ? 0 : -1;
    }
}
