String format(int value, String mark) {
    return String.format(Locale.ROOT, "%,d", value).replace(",", mark);
}
