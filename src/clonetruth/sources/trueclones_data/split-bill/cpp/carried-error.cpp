vector<int> shares(int amount, int people) {
    vector<int> pays;
    int carried = 0;
    for (int guest = 0; guest < people; guest++) {
        // what is owed so far, in parts of a cent
        carried += amount;
        int cents = carried / people;
        pays.push_back(cents);
        carried -= cents * people;
    }
    sort(pays.rbegin(), pays.rend());
    return pays;
}
