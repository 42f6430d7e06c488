public static List<int> RootAndCount(int number, int radix)
{
    int root = number % (radix - 1);
    if (root == 0 && number > 0) root = radix - 1;

    int count = 0;
    for (long left = number; left >= radix; count++)
    {
        long sum = 0;
        while (left > 0)
        {
            sum += left % radix;
            left /= radix;
        }
        left = sum;
    }
    return new List<int> { root, count };
}
