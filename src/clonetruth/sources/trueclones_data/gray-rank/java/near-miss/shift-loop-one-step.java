public static int rank(int word) {
    int number = word;
    for (int shifted = word >> 1; shifted != 0; shifted >>= 2) {
        number ^= shifted;
    }
    return number;
}
