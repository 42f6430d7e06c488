static string Strip(string program)
{
    var token = new Regex(@"""(\\.|[^""\\])*""?|//[^\n]*|/\*.*?(\*/|\z)", RegexOptions.Singleline);
    return token.Replace(program, m => m.Value[0] == '"' ? m.Value : m.Value.StartsWith("//") ? "" : " ");
}
