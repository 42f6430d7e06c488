// Tries the forms of a place one after the other, and the places behind it with what is left.
static int search(const string& text, size_t at, int place) {
    static const string letters = "IVXLCDM";
    if (place < 0) return at == text.size() ? 0 : -1;
    string one(1, letters[2 * place]), five, ten;
    if (place < 3) {
        five = letters[2 * place + 1];
        ten = letters[2 * place + 2];
    }
    const string forms[] = {"", one, one + one, one + one + one, one + five, five, five + one, five + one + one, five + one + one + one, one + ten};
    int unit = 1;
    for (int i = 0; i < place; i++) unit *= 10;
    for (int digit = 0; digit < (place < 3 ? 10 : 4); digit++) {
        if (text.compare(at, forms[digit].size(), forms[digit]) != 0) continue;
        int rest = search(text, at + forms[digit].size(), place - 1);
        if (rest >= 0) return digit * unit + rest;
    }
    return -1;
}

int valueOf(string numeral) {
    return numeral.empty() ? -1 : search(numeral, 0, 3);
}
