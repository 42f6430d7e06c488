public int[] Shares(int amount, int people)
{
    int[] shares = new int[people];
    for (; amount > 0; amount--)
    {
        // each cent is for the first of those who pay least
        int least = 0;
        for (int i = 1; i < people; i++)
            if (shares[i] < shares[least]) least = i;
        shares[least]++;
    }
    return shares;
}
