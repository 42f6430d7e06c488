public String ordinalWords(int number) {
    TreeMap<Integer, String> names = new TreeMap<>();
    String[] small = ("one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
            + "seventeen eighteen nineteen").split(" ");
    for (int i = 0; i < small.length; i++) names.put(i + 1, small[i]);
    String[] tens = {"twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"};
    for (int i = 0; i < tens.length; i++) names.put(20 + 10 * i, tens[i]);
    names.put(100, "hundred");
    names.put(1000, "thousand");
    List<String> parts = new ArrayList<>();
    int rest = number;
    while (rest > 0) {
        // the largest name that fits
        int unit = names.floorKey(rest);
        if (unit >= 100) parts.add(names.get(rest / unit) + " ");
        parts.add(names.get(unit) + (unit >= 100 ? " " : "-"));
        rest %= unit;
    }
    String text = String.join("", parts);
    return ending(text.substring(0, text.length() - 1));
}

private String ending(String text) {
    String[][] changes = {{"one", "first"}, {"two", "second"}, {"three", "third"}, {"five", "fifth"},
        {"eight", "eighth"}, {"nine", "ninth"}, {"twelv", "twelfth"}, {"y", "ieth"}, {"", "th"}};
    for (String[] change : changes) {
        if (text.endsWith(change[0])) {
            return text.substring(0, text.length() - change[0].length()) + change[1];
        }
    }
    return text;
}
