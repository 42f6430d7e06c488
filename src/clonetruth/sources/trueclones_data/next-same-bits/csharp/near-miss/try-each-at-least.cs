static int Greater(int number)
{
    Func<int, int> ones = n => Convert.ToString(n, 2).Replace("0", "").Length;
    return Enumerable.Range(number + 1, number + 1).First(candidate => ones(candidate) >= ones(number));
}
