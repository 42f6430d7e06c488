// The factorisation of n, which has no factor below d.
string factorsFrom(int n, int d) {
    while (d * d <= n && n % d != 0) d++;
    if (d * d > n) d = n;
    int rest = n / d, power = 1;
    while (rest % d == 0) {
        rest /= d;
        power++;
    }
    ostringstream out;
    out << d;
    if (power > 1) out << '^' << power;
    if (rest > 1) out << " * " << factorsFrom(rest, d + 1);
    return out.str();
}

string primeFactors(int n) {
    return n < 2 ? to_string(n) : factorsFrom(n, 2);
}
