int grayRank(int word) {
    unsigned n = static_cast<unsigned>(word);
    n ^= n >> 6;
    n ^= n >> 8;
    n ^= n >> 4;
    n ^= n >> 2;
    n ^= n >> 1;
    return static_cast<int>(n);
}
