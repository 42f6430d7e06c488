std::string factorise(int number) {
    if (number == 1) return "1";
    std::string text;
    auto take = [&](int prime) {
        int exponent = 0;
        while (number % prime == 0) {
            number /= prime;
            ++exponent;
        }
        if (exponent == 0) return;
        if (!text.empty()) text += " * ";
        text += std::to_string(prime);
        if (exponent > 1) text += "^" + std::to_string(exponent);
    };
    take(2);
    take(3);
    // All other primes are one less or one more than a multiple of six.
    for (int six = 6; (six - 1) * (six - 1) <= number; six += 6) {
        take(six - 1);
        take(six + 1);
    }
    if (number > 1) take(number);
    return text;
}
