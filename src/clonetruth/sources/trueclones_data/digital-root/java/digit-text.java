List<Integer> reduce(int n, int radix) {
    String digits = Integer.toString(n, radix);
    int rounds = 0;
    while (digits.length() > 1) {
        int total = 0;
        for (char c : digits.toCharArray()) total += Character.digit(c, radix);
        digits = Integer.toString(total, radix);
        rounds++;
    }
    return List.of(Integer.parseInt(digits, radix), rounds);
}
