// The words with the highest bit set are the others in reverse order.
static long long rankBelow(long long word, long long half) {
    if (word == 0) {
        return 0;
    }
    if (word < half) {
        return rankBelow(word, half / 2);
    }
    return 2 * half - 1 - rankBelow(word - half, half / 2);
}

int decode(int word) {
    return rankBelow(word, 1LL << 30);
}
