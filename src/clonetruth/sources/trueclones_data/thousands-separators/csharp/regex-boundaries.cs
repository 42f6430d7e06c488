static string Separate(int number, string separator)
{
    return Regex.Replace(number.ToString(), @"\B(?=(\d{3})+$)", _ => separator);
}
