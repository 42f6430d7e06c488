static String latinNumber(int number) {
    final String letters = "IVXLCDM";
    String[] shapes = {"", "0", "00", "000", "01", "1", "10", "100", "1000", "02"};
    String result = "";
    for (int place = 0; number > 0; place += 2, number /= 10) {
        String part = "";
        for (char c : shapes[number % 10].toCharArray()) {
            part += letters.charAt(place + (c - '0'));
        }
        result = part + result;
    }
    return result;
}
