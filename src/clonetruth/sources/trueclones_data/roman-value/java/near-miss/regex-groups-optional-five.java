static int romanValue(String numeral) {
    Matcher m = Pattern.compile("(M{0,3})(CM|CD|D{0,2}C{0,3})(XC|XL|L?X{0,3})(IX|IV|V?I{0,3})").matcher(numeral);
    if (numeral.isEmpty() || !m.matches()) return -1;
    int total = 0;
    String[] ends = {"M..", "CDM", "XLC", "IVX"};
    for (int g = 1; g <= 4; g++) {
        String part = m.group(g), set = ends[g - 1];
        int digit = 0;
        if (part.length() == 2 && part.charAt(1) == set.charAt(2)) digit = 9;
        else if (part.length() == 2 && part.charAt(0) == set.charAt(0) && part.charAt(1) == set.charAt(1)) digit = 4;
        else for (char c : part.toCharArray()) digit += c == set.charAt(1) ? 5 : 1;
        total = total * 10 + digit;
    }
    return total;
}
