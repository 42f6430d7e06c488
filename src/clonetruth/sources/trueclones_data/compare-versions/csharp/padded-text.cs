// Every part gets twelve digits, then the texts are compared.
static int CompareVersions(string left, string right)
{
    int order = string.CompareOrdinal(Normal(left), Normal(right));
    return Math.Sign(order);
}

static string Normal(string version)
{
    var parts = (version + ".0.0.0.0").Split('.').Take(5);
    return string.Join("", parts.Select(part => part.PadLeft(12, '0')));
}
