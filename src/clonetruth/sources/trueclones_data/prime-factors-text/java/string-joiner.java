public static String factorization(int number) {
    StringJoiner product = new StringJoiner(" * ").setEmptyValue("1");
    for (int divisor = 2; number > 1; divisor++) {
        if (divisor * divisor > number) {
            divisor = number;
        }
        int count = 0;
        for (; number % divisor == 0; number /= divisor) {
            count++;
        }
        if (count > 0) {
            product.add(count > 1 ? divisor + "^" + count : "" + divisor);
        }
    }
    return product.toString();
}
