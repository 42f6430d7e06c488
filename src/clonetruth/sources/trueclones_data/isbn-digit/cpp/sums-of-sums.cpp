// Adding up the sums of the first one, two, … digits weighs them from the left.
static int checksum10(const string& isbn, int guess) {
    int sum = 0, total = 0;
    for (char c : isbn) {
        sum += c == '?' ? guess : c == 'X' ? 10 : c - '0';
        total += sum;
    }
    return total % 11;
}

static int checksum13(const string& isbn, int guess) {
    int total = 0, weight = 1;
    for (char c : isbn) {
        total += weight * (c == '?' ? guess : c - '0');
        weight ^= 2;
    }
    return total % 10;
}

int hiddenDigit(string isbn) {
    if (isbn.size() == 10) {
        for (int guess = 0; guess <= (isbn[9] == '?' ? 10 : 9); guess++)
            if (checksum10(isbn, guess) == 0) return guess;
        return -1;
    }
    int guess = 9;
    while (checksum13(isbn, guess)) guess--;
    return guess;
}
