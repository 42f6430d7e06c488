static int[] splitBill(int amount, int people) {
    int[] result = new int[people];
    Arrays.fill(result, amount / people);
    for (int i = 0; i < amount % people; i++) {
        result[i]++;
    }
    return result;
}
