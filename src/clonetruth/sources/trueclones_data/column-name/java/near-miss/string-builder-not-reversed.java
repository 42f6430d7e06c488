static String columnName(int number) {
    StringBuilder name = new StringBuilder();
    while (number > 0) {
        int rest = (number - 1) % 26;
        name.append((char) ('A' + rest));
        number = (number - rest) / 26;
    }
    return name.toString();
}
