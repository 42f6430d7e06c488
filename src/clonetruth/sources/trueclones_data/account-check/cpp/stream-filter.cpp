static int value(char c) {
    return isdigit(c) ? c - '0' : isupper(c) ? c - 'A' + 10 : -1;
}

bool verify(string text) {
    istringstream in(text);  // reading characters passes over spaces
    string country, check, rest;
    char c;
    while (in >> c) {
        if (value(c) < 0) return false;
        string& part = country.size() < 2 ? country : check.size() < 2 ? check : rest;
        part += c;
    }
    if (rest.empty() || rest.size() > 20) return false;
    if (isdigit(country[0]) || isdigit(country[1]) || isupper(check[0]) || isupper(check[1])) return false;
    long long remainder = 0;
    for (char d : rest + country + check) {
        remainder = remainder * (value(d) < 10 ? 10 : 100) + value(d);
        if (remainder > 1000000000) remainder %= 97;
    }
    return remainder % 97 == 1;
}
