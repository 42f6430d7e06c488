static int[] soundGroups(String[] names) {
    Map<String, Integer> first = new HashMap<>();
    int[] result = new int[names.length];
    for (int i = 0; i < names.length; i++) {
        first.putIfAbsent(soundex(names[i]), i);
        result[i] = first.get(soundex(names[i]));
    }
    return result;
}

private static String soundex(String name) {
    //               ABCDEFGHIJKLMNOPQRSTUVWXYZ
    String digits = "01230120022455012623010202";
    StringBuilder code = new StringBuilder();
    char last = 0;
    for (char letter : name.toUpperCase().toCharArray()) {
        char digit = digits.charAt(letter - 'A');
        if (code.length() == 0) {
            code.append(letter);
        } else {
            if (letter == 'H') continue;
            if (digit != '0' && digit != last) code.append(digit);
        }
        last = digit;
    }
    code.append("000");
    return code.substring(0, 4);
}
