public string Name(int number)
{
    var letters = new Stack<char>();
    while (number > 1 || letters.Count == 0)
    {
        number--;
        letters.Push((char)('A' + number % 26));
        number /= 26;
    }
    return new string(letters.ToArray());
}
