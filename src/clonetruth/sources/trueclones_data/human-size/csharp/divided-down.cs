static string HumanSize(long bytes)
{
    string[] units = { "B", "KiB", "MiB", "GiB", "TiB", "PiB" };
    int unit = 0;
    long tenths = bytes * 10;
    // ten times the number keeps the digit behind the point
    while (tenths >= 10240)
    {
        unit++;
        tenths = bytes * 10 >> 10 * unit;
    }
    string fraction = tenths % 10 == 0 ? "" : "." + tenths % 10;
    return tenths / 10 + fraction + " " + units[unit];
}
