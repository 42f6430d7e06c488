public int Calculate(string s)
{
    return Evaluate(s, 0, s.Length);
}

// Splits at the last + or - outside of brackets, then at the last *.
private static int Evaluate(string s, int from, int to)
{
    int depth = 0, times = -1;
    for (int i = to - 1; i >= from; i--)
    {
        char c = s[i];
        if (c == ')') depth++;
        if (c == '(') depth--;
        if (depth != 0) continue;
        if (c == '+') return Evaluate(s, from, i) + Evaluate(s, i + 1, to);
        if (c == '-') return Evaluate(s, i + 1, to) - Evaluate(s, from, i);
        if (c == '*' && times < 0) times = i;
    }
    if (times >= 0)
        return Evaluate(s, from, times) * Evaluate(s, times + 1, to);
    if (s[from] == '(')
        return Evaluate(s, from + 1, to - 1);
    return int.Parse(s.Substring(from, to - from));
}
