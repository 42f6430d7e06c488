// Builds the number from the top; a bit is set when the Gray code then has the wanted bit there.
static int Number(int word)
{
    int number = 0;
    for (int bit = 30; bit >= 0; bit--)
    {
        int candidate = number | 1 << bit;
        if ((Gray(candidate) >> bit & 1) == (word >> bit & 1))
            number = candidate;
    }
    return number;
}

static int Gray(int n)
{
    return n ^ n >> 1;
}
