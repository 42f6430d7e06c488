public string Convert(string time, int fromOffset, int toOffset)
{
    var noon = new DateTime(1999, 7, 14, int.Parse(time.Substring(0, 2)), int.Parse(time.Substring(3)), 0);
    var utc = noon.AddMinutes(-fromOffset);
    var local = utc.AddMinutes(toOffset);
    int days = (local - noon).Days;
    string sign = days > 0 ? "+" : "";
    string result = local.Hour.ToString("D2") + ":" + local.Minute.ToString("D2");
    if (days != 0) result += " " + sign + days;
    return result;
}
