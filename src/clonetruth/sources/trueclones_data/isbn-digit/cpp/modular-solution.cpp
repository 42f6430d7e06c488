int solve(const string& isbn) {
    bool ten = isbn.length() == 10;
    int modulus = ten ? 11 : 10, sum = 0, hidden = 1;
    for (size_t i = 0; i < isbn.length(); i++) {
        int weight = ten ? 10 - (int)i : (i % 2 == 1 ? 3 : 1);
        if (isbn[i] == '?') hidden = weight;
        else if (isbn[i] == 'X') sum += 10;
        else sum += weight * (isbn[i] - '0');
    }
    int digit = 0;
    while ((sum + hidden * digit) % modulus != 0) digit++;
    if (digit == 10) return hidden == 1 ? digit : -1;
    return digit;
}
