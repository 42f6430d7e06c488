int solve(String isbn) {
    int modulus = isbn.length() == 10 ? 11 : 10;
    int unknown = 0, sum = 0;
    for (int i = 0; i < isbn.length(); i++) {
        int weight = modulus == 11 ? isbn.length() - i : (i % 2 == 0 ? 1 : 3);
        int value = Character.digit(isbn.charAt(i), 10);
        if (isbn.charAt(i) == 'X') value = 10;
        if (value < 0) unknown = weight;
        else sum += weight * value;
    }
    int inverse = BigInteger.valueOf(unknown).modInverse(BigInteger.valueOf(modulus)).intValue();
    int digit = -sum * inverse % modulus;
    return digit == 10 && unknown > 1 ? -1 : digit;
}
