public string Format(int number, string separator) {
    var pieces = new Stack<string>();
    long rest = Math.Abs((long)number);
    int count = 0;
    do {
        if (count > 0 && count % 3 == 0) pieces.Push(separator);
        pieces.Push((rest % 10).ToString());
        rest /= 10;
        count++;
    } while (rest > 0);
    if (number < 0) pieces.Push("-");
    return string.Concat(pieces);
}
