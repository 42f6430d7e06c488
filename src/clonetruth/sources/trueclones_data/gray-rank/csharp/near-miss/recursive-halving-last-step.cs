static int Plain(int word)
{
    return word < 4 ? word : word ^ Plain(word / 2);
}
