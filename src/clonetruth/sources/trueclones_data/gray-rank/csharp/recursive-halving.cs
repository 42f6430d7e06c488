static int Plain(int word)
{
    return word < 2 ? word : word ^ Plain(word / 2);
}
