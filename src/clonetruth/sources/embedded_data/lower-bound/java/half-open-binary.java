public static int lowerBound(int[] numbers, int target) {
    int low = 0;
    int high = numbers.length;
    while (low < high) {
        int middle = (low + high) >>> 1;
        if (numbers[middle] < target) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}
