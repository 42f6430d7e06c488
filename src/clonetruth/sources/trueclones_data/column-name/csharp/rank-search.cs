// Letter by letter, from the left: the largest letter whose first name is not behind the column.
string Find(int number)
{
    int length = 1, power = 1, first = 1;
    while (first + power * 26 <= number)
    {
        power *= 26;
        first += power;
        length++;
    }
    var name = new char[length];
    for (int place = 0; place < length; place++)
    {
        name[place] = 'A';
        while (first + power <= number)
        {
            first += power;
            name[place]++;
        }
        power /= 26;
    }
    return new string(name);
}
