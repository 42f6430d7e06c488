public static String excelColumn(int number) {
    int length = 1;
    int before = 0;
    int names = 26;
    while (number > before + names) {
        before += names;
        names *= 26;
        length++;
    }
    String digits = Integer.toString(number - before - 1, 26);
    String padded = "0".repeat(length - digits.length()) + digits;
    return padded.chars()
            .map(c -> c <= '9' ? c - '0' + 'A' : c - 'a' + 'K')
            .mapToObj(Character::toString)
            .collect(Collectors.joining());
}
