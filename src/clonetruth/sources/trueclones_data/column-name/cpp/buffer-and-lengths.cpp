string spell(int n) {
    static const int first[] = {1, 27, 703, 18279};
    int length = 4;
    while (n < first[length - 1]) length--;
    string out(length, 'A');
    int rank = n - first[length - 1];
    for (int i = length - 1; rank > 0; i--, rank /= 26) out[i] += rank % 26;
    return out;
}
