// Working days plus two for every weekend that lies between, minus what is left of the current one.
static int span(int weekday, int count) {
    if (count < 1) return 0;
    int from = Math.min(weekday, 4);
    int weekends = (from + count - 1) / 5;
    return count + 2 * weekends - (weekday - from);
}
