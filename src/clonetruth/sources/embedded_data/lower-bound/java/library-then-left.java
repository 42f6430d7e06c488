int insertionPoint(int[] sorted, int key) {
    int index = Arrays.binarySearch(sorted, key);
    if (index < 0) {
        return -index - 1;
    }
    // the library may stop at any of several equal elements
    while (index > 0 && sorted[index - 1] == key) {
        index--;
    }
    return index;
}
