static string cardinal(int n) {
    static const string ones[] = {"", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"};
    static const string tens[] = {"", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"};
    string text;
    if (n > 999) text += ones[n / 1000] + " thousand ";
    if (n / 100 % 10 > 0) text += ones[n / 100 % 10] + " hundred ";
    n %= 100;
    if (n < 20) text += ones[n];
    else text += tens[n / 10] + (n % 10 ? "-" + ones[n % 10] : "");
    if (text.back() == ' ') text.pop_back();
    return text;
}

// Replaces the ending of the last word.
string ranked(int number) {
    string text = cardinal(number);
    static const pair<string, string> endings[] = {{"one", "first"}, {"two", "second"}, {"three", "third"}, {"ve", "fth"}, {"eight", "eighth"}, {"nine", "ninth"}, {"y", "ieth"}};
    for (const auto& [plain, ordinal] : endings) {
        if (text.size() < plain.size()) continue;
        size_t at = text.size() - plain.size();
        if (text.substr(at) == plain) return text.substr(0, at) + ordinal;
    }
    return text + "th";
}
