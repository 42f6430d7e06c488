static String spell(int n) {
    if (n >= 1000) return plain(n / 1000) + " thousand" + tail(n % 1000);
    if (n >= 100) return plain(n / 100) + " hundred" + tail(n % 100);
    if (n > 20 && n % 10 != 0) return plain(n - n % 10) + "-" + spell(n % 10);
    switch (n) {
        case 1: return "first";
        case 2: return "second";
        case 3: return "third";
        case 5: return "fifth";
        case 8: return "eighth";
        case 9: return "ninth";
        case 12: return "twelfth";
        default: return plain(n).replaceFirst("y$", "ie") + "th";
    }
}

static String tail(int rest) {
    return rest == 0 ? "th" : " " + spell(rest);
}

static String plain(int n) {
    switch (n) {
        case 1: return "one";
        case 2: return "two";
        case 3: return "three";
        case 4: return "four";
        case 5: return "five";
        case 6: return "six";
        case 7: return "seven";
        case 8: return "eight";
        case 9: return "nine";
        case 10: return "ten";
        case 11: return "eleven";
        case 12: return "twelve";
        case 13: return "thirteen";
        case 15: return "fifteen";
        case 18: return "eighteen";
        case 20: return "twenty";
        case 30: return "thirty";
        case 40: return "forty";
        case 50: return "fifty";
        case 90: return "ninety";
        default: return n < 20 ? plain(n - 10) + "teen" : plain(n / 10) + "ty";
    }
}
