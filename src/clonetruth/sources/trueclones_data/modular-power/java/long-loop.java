public int power(int base, int exponent, int modulus) {
    long result = 1 % modulus;
    long square = base % modulus;
    for (int e = exponent; e != 0; e /= 2) {
        if (e % 2 == 1) {
            result = result * square % modulus;
        }
        square = square * square % modulus;
    }
    return (int) result;
}
