public int Rank(int word)
{
    int number = 0;
    while (word > 0)
    {
        number ^= word;
        word >>= 1;
    }
    return number;
}
