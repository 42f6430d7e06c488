boolean passesLuhn(String number) {
    String compact = String.join("", number.split(" "));
    if (!compact.matches("[0-9]{2,}")) {
        return false;
    }
    int[] doubled = {0, 2, 4, 6, 8, 1, 3, 5, 7, 9};
    int n = compact.length();
    return IntStream.range(0, n)
            .map(i -> (n - i) % 2 == 0 ? doubled[compact.charAt(i) - '0'] : compact.charAt(i) - '0')
            .sum() % 10 == 0;
}
