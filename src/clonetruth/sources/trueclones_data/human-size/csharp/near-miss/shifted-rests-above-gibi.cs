public static string Size(long bytes)
{
    if (bytes >= 1L << 50) return InUnit(bytes, 50, "PiB");
    if (bytes >= 1L << 40) return InUnit(bytes, 40, "TiB");
    if (bytes > 1 << 30) return InUnit(bytes, 30, "GiB");
    if (bytes >= 1 << 20) return InUnit(bytes, 20, "MiB");
    return bytes >= 1 << 10 ? InUnit(bytes, 10, "KiB") : bytes + " B";
}

private static string InUnit(long bytes, int shift, string unit)
{
    long rest = bytes & (1L << shift) - 1;
    char tenth = (char)('0' + (rest * 10 >> shift));
    string number = (bytes >> shift).ToString();
    if (tenth > '0')
        number = number + "." + tenth;
    return number + " " + unit;
}
