static int Next(int number)
{
    string bits = "0" + Convert.ToString(number, 2);
    int at = bits.LastIndexOf("01");
    string tail = bits.Substring(at + 2);
    int ones = tail.Count(c => c == '1');
    return Convert.ToInt32(bits.Substring(0, at) + "10" + new string('1', ones) + new string('0', tail.Length - ones), 2);
}
