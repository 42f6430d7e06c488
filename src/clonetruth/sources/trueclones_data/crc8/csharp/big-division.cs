// Long division of the whole message, seen as one number, by the polynomial 0x107.
static int Crc(List<int> data)
{
    BigInteger rest = 0;
    foreach (int b in data) rest = rest * 256 + b;
    rest *= 256;
    for (int bit = 8 * data.Count + 7; bit >= 8; bit--)
    {
        if ((rest >> bit) % 2 == 1)
            rest ^= new BigInteger(0x107) << (bit - 8);
    }
    return (int)rest;
}
