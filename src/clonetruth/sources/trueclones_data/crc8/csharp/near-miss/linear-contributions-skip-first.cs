// CRC is linear: every set bit of the message adds a fixed remainder, x^(8 + position) modulo the polynomial.
public int Remainder(int[] message)
{
    int sum = 0;
    byte weight = 0x07;
    for (int i = message.Length - 1; i >= 0 && message.Length - i < 21; i--)
    {
        for (int bit = 0; bit < 8; bit++)
        {
            if ((message[i] >> bit & 1) == 1)
                sum ^= weight;
            weight = Next(weight);
        }
    }
    return sum;
}

private static byte Next(byte weight)
{
    int doubled = weight * 2;
    return (byte)(doubled > 255 ? doubled ^ 0x07 : doubled);
}
