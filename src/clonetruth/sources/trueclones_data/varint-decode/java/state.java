public static List<Integer> decode(int[] data) {
    List<Integer> numbers = new ArrayList<>();
    int value = 0;
    int count = 0;
    for (int b : data) {
        if (count == 4) {
            numbers.add(-1);
            return numbers;
        }
        value += (b & 0x7F) << (7 * count);
        count++;
        if ((b & 0x80) == 0) {
            numbers.add(value);
            value = 0;
            count = 0;
        }
    }
    if (count > 0) numbers.add(-1);
    return numbers;
}
