public int find(String isbn) {
    return isbn.length() == 13 ? findInThirteen(isbn.toCharArray()) : findInTen(isbn.toCharArray());
}

private int findInThirteen(char[] digits) {
    int once = 0, thrice = 0;
    boolean even = true, hiddenEven = true;
    for (char c : digits) {
        if (c == '?') hiddenEven = even;
        else if (even) once += c - '0';
        else thrice += c - '0';
        even = !even;
    }
    int gap = 10 - (once + thrice * 3) % 10;
    // three times seven is one more than a multiple of ten
    return hiddenEven ? gap : gap * 7 % 10;
}

private int findInTen(char[] digits) {
    int sum = 0, place = 0;
    for (int weight = 10; weight >= 1; weight--) {
        char c = digits[10 - weight];
        if (c == '?') place = weight;
        else sum += weight * (c == 'X' ? 10 : c - '0');
    }
    for (int digit = 0; digit < 10; digit++) {
        if ((sum + place * digit) % 11 == 0) return digit;
    }
    return place == 1 ? 10 : -1;
}
