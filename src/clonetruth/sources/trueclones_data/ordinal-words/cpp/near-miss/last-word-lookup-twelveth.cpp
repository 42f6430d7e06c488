static const char* const SMALL[] = {"", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"};
static const char* const TENS[] = {"", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"};

static std::string ordinalOf(const std::string& word) {
    static const char* const irregular[][2] = {{"one", "first"}, {"two", "second"}, {"three", "third"},
        {"five", "fifth"}, {"eight", "eighth"}, {"nine", "ninth"}};
    for (const auto& pair : irregular)
        if (word == pair[0]) return pair[1];
    if (word.back() == 'y') return word.substr(0, word.size() - 1) + "ieth";
    return word + "th";
}

std::string spellOrdinal(int number) {
    std::vector<std::string> words;
    if (number / 1000) {
        words.push_back(SMALL[number / 1000]);
        words.push_back("thousand");
    }
    if (number / 100 % 10) {
        words.push_back(SMALL[number / 100 % 10]);
        words.push_back("hundred");
    }
    const int rest = number % 100;
    std::string stem;
    if (rest >= 20 && rest % 10) stem = std::string(TENS[rest / 10]) + "-";
    if (rest >= 20 && rest % 10 == 0) words.push_back(TENS[rest / 10]);
    else if (rest) words.push_back(SMALL[rest < 20 ? rest : rest % 10]);

    std::string text;
    for (size_t i = 0; i + 1 < words.size(); ++i) text += words[i] + " ";
    return text + stem + ordinalOf(words.back());
}
