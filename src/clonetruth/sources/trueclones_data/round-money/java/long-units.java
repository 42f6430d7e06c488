String cents(String amount) {
    boolean minus = amount.charAt(0) == '-';
    String digits = minus ? amount.substring(1) : amount;
    int point = digits.indexOf('.');
    int places = point < 0 ? 0 : digits.length() - point - 1;
    long units = Long.parseLong(digits.replace(".", ""));
    for (int i = places; i < 5; i++) units *= 10;
    long low = units / 1000;
    long twice = 2 * (units - 1000 * low);
    if (twice > 1000 || twice == 1000 && (low & 1) != 0) low++;
    String sign = minus && low > 0 ? "-" : "";
    return String.format("%s%d.%02d", sign, low / 100, low % 100);
}
