public IEnumerable<int> Plan(int amount, int rate, int payment)
{
    long balance = amount;
    for (int month = 0; month < 12; month++)
    {
        long rest, interest = Math.DivRem(unchecked((int)balance * rate), 120000, out rest);
        balance += rest < 60000 ? interest : interest + 1;
        if (balance <= payment)
        {
            yield return 0;
            yield break;
        }
        balance -= payment;
        yield return (int)balance;
    }
}
