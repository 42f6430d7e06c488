public static int NextWithSameOnes(int number)
{
    var bits = new bool[17];
    for (int i = 0; i < bits.Length; i++)
        bits[i] = (number >> i) % 2 == 1;

    int at = 0;
    while (!(bits[at] && !bits[at + 1])) at++;
    bits[at] = false;
    bits[at + 1] = true;
    // below it, all ones go to the lowest places
    Array.Sort(bits, 0, at);
    Array.Reverse(bits, 0, at);

    int result = 0;
    for (int i = bits.Length - 1; i >= 0; i--)
        result = 2 * result + (bits[i] ? 1 : 0);
    return result;
}
