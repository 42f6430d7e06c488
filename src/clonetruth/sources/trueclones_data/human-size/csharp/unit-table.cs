static string Format(long bytes)
{
    foreach (string name in new[] { "PiB", "TiB", "GiB", "MiB", "KiB" })
    {
        long size = 1L << 10 * (1 + "KMGTP".IndexOf(name[0]));
        if (bytes < size) continue;
        long whole = bytes / size;
        long digit = (bytes - whole * size) * 10 / size;
        return digit == 0 ? $"{whole} {name}" : $"{whole}.{digit} {name}";
    }
    return bytes + " B";
}
