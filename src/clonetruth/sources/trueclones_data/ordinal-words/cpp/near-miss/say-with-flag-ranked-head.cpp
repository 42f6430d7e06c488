// Says a number below ten thousand; ranked asks for the ordinal form.
string say(int n, bool ranked) {
    auto bigUnit = [&](int size, string unit) {
        string head = say(n / size, ranked && n % size == 0) + " " + unit;
        if (n % size == 0) return ranked ? head + "th" : head;
        return head + " " + say(n % size, ranked);
    };
    if (n >= 1000) return bigUnit(1000, "thousand");
    if (n >= 100) return bigUnit(100, "hundred");
    if (n >= 20) {
        const char *stems[] = {"twent", "thirt", "fort", "fift", "sixt", "sevent", "eight", "ninet"};
        string stem = stems[n / 10 - 2];
        if (n % 10 == 0) return stem + (ranked ? "ieth" : "y");
        return stem + "y-" + say(n % 10, ranked);
    }
    const char *names[][2] = {{"", ""}, {"one", "first"}, {"two", "second"}, {"three", "third"}, {"four", "fourth"},
        {"five", "fifth"}, {"six", "sixth"}, {"seven", "seventh"}, {"eight", "eighth"}, {"nine", "ninth"},
        {"ten", "tenth"}, {"eleven", "eleventh"}, {"twelve", "twelfth"}};
    if (n <= 12) return names[n][ranked];
    const char *teens[] = {"thir", "four", "fif", "six", "seven", "eigh", "nine"};
    return string(teens[n - 13]) + "teen" + (ranked ? "th" : "");
}

string ordinal(int number) {
    return say(number, true);
}
