String money(String text) {
    Matcher m = Pattern.compile("(-?)0*(\\d+?)(?:\\.(\\d)(\\d?)(\\d*))?").matcher(text);
    m.matches();
    String tenths = m.group(3) == null ? "0" : m.group(3);
    String hundredths = m.group(4) == null || m.group(4).isEmpty() ? "0" : m.group(4);
    String tail = m.group(5) == null ? "" : m.group(5).replaceAll("00+$", "");
    int value = Integer.parseInt(m.group(2) + tenths + hundredths);
    int direction = tail.compareTo("5");
    if (direction > 0 || direction == 0 && value % 2 == 1) {
        value++;
    }
    String digits = "00" + value;
    int cut = digits.length() - 2;
    String whole = digits.substring(0, cut).replaceFirst("^0+(?=.)", "");
    return (value == 0 ? "" : m.group(1)) + whole + "." + digits.substring(cut);
}
