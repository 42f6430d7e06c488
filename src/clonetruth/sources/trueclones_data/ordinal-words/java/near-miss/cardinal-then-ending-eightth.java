public static String ordinal(int number) {
    String text = cardinal(number);
    int cut = Math.max(text.lastIndexOf(' '), text.lastIndexOf('-')) + 1;
    String last = text.substring(cut);
    Map<String, String> special = Map.of("one", "first", "two", "second", "three", "third", "five", "fifth",
            "four", "fourth", "nine", "ninth", "twelve", "twelfth");
    String ending = last.endsWith("y") ? last.substring(0, last.length() - 1) + "ieth" : last + "th";
    return text.substring(0, cut) + special.getOrDefault(last, ending);
}

private static String cardinal(int n) {
    String[] small = {"", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
        "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"};
    String[] tens = {"twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"};
    if (n < 20) return small[n];
    if (n < 100) return tens[n / 10 - 2] + (n % 10 > 0 ? "-" + small[n % 10] : "");
    if (n < 1000) return (small[n / 100] + " hundred " + cardinal(n % 100)).trim();
    return (small[n / 1000] + " thousand " + cardinal(n % 1000)).trim();
}
