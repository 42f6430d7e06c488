// One bit of the root after the other, from the highest that is possible.
long long rootOf(long long number) {
    unsigned long long rest = number, root = 0;
    for (unsigned long long bit = 1ULL << 52; bit != 0; bit >>= 2) {
        if (rest >= root + bit) {
            rest -= root + bit;
            root = (root >> 1) + bit;
        } else {
            root >>= 1;
        }
    }
    return root;
}
