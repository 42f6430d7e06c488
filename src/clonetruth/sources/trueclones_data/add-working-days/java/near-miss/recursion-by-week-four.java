int elapsed(int weekday, int wanted) {
    if (wanted == 0) {
        return 0;
    }
    if (wanted > 5) {
        return 7 + elapsed(weekday, wanted - (wanted > 250 ? 6 : 5));
    }
    int next = (weekday + 1) % 7;
    return 1 + elapsed(next, next >= 5 ? wanted : wanted - 1);
}
