static int Checksum(List<int> bytes)
{
    // the message, and eight zeros behind it
    var bits = bytes.Concat(new[] { 0 }).SelectMany(b => Convert.ToString(b, 2).PadLeft(7, '0'));
    int register = 0;
    foreach (char bit in bits)
    {
        bool carry = register >= 128;
        register = register * 2 % 256 + (bit - '0');
        if (carry) register ^= 7;
    }
    return register;
}
