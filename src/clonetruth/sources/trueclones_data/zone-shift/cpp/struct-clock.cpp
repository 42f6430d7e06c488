struct Clock {
    int minute, day;

    void add(int amount) {
        minute += amount;
        for (; minute < 0; minute += 24 * 60) day--;
        for (; minute >= 24 * 60; minute -= 24 * 60) day++;
    }

    string text() const {
        ostringstream out;
        out << setfill('0') << setw(2) << minute / 60 << ':' << setw(2) << minute % 60;
        if (day) out << ' ' << showpos << day;
        return out.str();
    }
};

string convert(string time, int from, int to) {
    Clock clock{stoi(time.substr(0, 2)) * 60 + stoi(time.substr(3)), 0};
    clock.add(-from);
    clock.add(to);
    return clock.text();
}
