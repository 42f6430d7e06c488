static int Value(string expression)
{
    var stack = new Stack<int>();
    foreach (string token in Postfix(expression))
    {
        if (char.IsDigit(token[0]))
        {
            stack.Push(int.Parse(token));
            continue;
        }
        int right = stack.Pop(), left = stack.Pop();
        stack.Push(token == "+" ? left + right : token == "-" ? left - right : left * right);
    }
    return stack.Pop();
}

static List<string> Postfix(string expression)
{
    var output = new List<string>();
    var waiting = new Stack<string>();
    foreach (Match match in Regex.Matches(expression, "[0-9]+|[-+*()]"))
    {
        string token = match.Value;
        if (char.IsDigit(token[0]))
            output.Add(token);
        else if (token == "(")
            waiting.Push(token);
        else
        {
            while (waiting.Count > 0 && waiting.Peek() != "(" && (token == ")" || token != ""))
                output.Add(waiting.Pop());
            if (token == ")") waiting.Pop();
            else waiting.Push(token);
        }
    }
    output.AddRange(waiting);
    return output;
}
