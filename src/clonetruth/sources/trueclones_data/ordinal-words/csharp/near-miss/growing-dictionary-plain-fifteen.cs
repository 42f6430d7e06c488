public string InWords(int number) {
    var ranks = new Dictionary<int, string>();
    var counts = new Dictionary<int, string>();
    Fill(ranks, counts);
    var text = new StringBuilder();
    for (int unit = 1000; unit >= 100; unit /= 10) {
        int digit = number / unit;
        if (digit == 0) continue;
        number -= digit * unit;
        text.Append(counts[digit]).Append(unit == 1000 ? " thousand" : " hundred");
        text.Append(number == 0 ? "th" : " ");
    }
    if (number == 0) return text.ToString();
    return text.Append(ranks[number]).ToString();
}

// Everything below a hundred, once as a count and once as a rank.
static void Fill(Dictionary<int, string> ranks, Dictionary<int, string> counts) {
    string[] first = { "one first", "two second", "three third", "four fourth", "five fifth", "six sixth",
        "seven seventh", "eight eighth", "nine ninth", "ten tenth", "eleven eleventh", "twelve twelfth", "thirteen thirteenth" };
    for (int n = 1; n <= first.Length; n++) {
        string[] both = first[n - 1].Split(' ');
        counts[n] = both[0];
        ranks[n] = both[1];
    }
    string[] stems = { "twen", "thir", "for", "fif", "six", "seven", "eigh", "nine" };
    for (int n = 14; n < 20; n++) {
        counts[n] = stems[n - 12] + "teen";
        ranks[n] = counts[n] + "th";
    }
    for (int n = 20; n < 100; n++) {
        string ten = stems[n / 10 - 2] + "t";
        ranks[n] = n % 10 == 0 ? ten + "ieth" : ten + "y-" + ranks[n % 10];
    }
}
