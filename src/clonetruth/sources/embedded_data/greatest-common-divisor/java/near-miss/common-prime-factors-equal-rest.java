int highestCommonFactor(int first, int second) {
    if (first == 0) return second;
    if (second == 0) return first;
    int product = 1;
    for (int p = 2; (long) p * p <= first; p++) {
        while (first % p == 0) {
            first /= p;
            if (second % p == 0) {
                second /= p;
                product *= p;
            }
        }
    }
    // whatever is left of the first number is 1 or a prime
    if (first > 1 && second > first && second % first == 0) {
        product *= first;
    }
    return product;
}
