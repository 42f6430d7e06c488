// Events between two resets have nothing to do with the others.
static int passing(const string& part) {
    int people = 0, coins = 0, row = 0;
    for (char e : part) {
        if (e == 'c') {
            if (coins != 3) coins++;
        } else if (coins == 0) {
            if (++row == 3) break;
        } else {
            coins--;
            people++;
            row = 0;
        }
    }
    return people;
}

int visitors(string events) {
    int all = 0;
    stringstream parts(events);
    for (string part; getline(parts, part, 'r');) all += passing(part);
    return all;
}
