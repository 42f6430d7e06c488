public boolean accepted(String raw) {
    Matcher m = Pattern.compile("([A-Z]{2}[0-9]{2})([A-Z0-9]{1,20})").matcher(raw.replace(" ", ""));
    if (!m.matches()) return false;
    String number = translate(m.group(2) + m.group(1));
    // seven digits at a time behind a remainder of two fit into an int
    int remainder = 0;
    while (!number.isEmpty()) {
        int take = Math.min(7, number.length());
        remainder = Integer.parseInt(remainder + number.substring(0, take)) % 97;
        number = number.substring(take);
    }
    return remainder == 1;
}

private String translate(String text) {
    String result = text;
    for (char c = 'A'; c <= 'Z'; c++) {
        result = result.replace(String.valueOf(c), String.valueOf(c - 'A' + 10));
    }
    return result;
}
