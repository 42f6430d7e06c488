static bool valid(const std::string& isbn) {
    int sum = 0, n = isbn.size();
    for (int i = 0; i < n; i++) {
        int value = isbn[i] == 'X' ? 10 : isbn[i] - '0';
        sum += n == 10 ? value * (n - i) : i % 2 ? value * 3 : value;
    }
    return sum % (n == 10 ? 11 : 10) == 0;
}

int missing(std::string isbn) {
    size_t at = isbn.find('?');
    for (int digit = 0; digit < 9; digit++) {
        isbn[at] = '0' + digit;
        if (valid(isbn)) return digit;
    }
    return at == 9 && isbn.size() == 10 ? 10 : -1;
}
