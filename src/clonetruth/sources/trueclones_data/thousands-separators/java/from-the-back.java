public static String group(int number, String separator) {
    String digits = Long.toString(Math.abs((long) number));
    StringBuilder result = new StringBuilder(digits);
    for (int at = digits.length() - 3; at > 0; at -= 3) {
        result.insert(at, separator);
    }
    if (number < 0) {
        result.insert(0, '-');
    }
    return result.toString();
}
