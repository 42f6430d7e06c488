string grouped(long n, const string &sep) {
    if (n < 0) return "-" + grouped(-n, sep);
    if (n < 1000) return to_string(n);
    char last[8];
    snprintf(last, sizeof last, "%ld", n % 1000);
    return grouped(n / 1000, sep) + sep + last;
}

string withSeparators(int number, string separator) {
    return grouped(number, separator);
}
