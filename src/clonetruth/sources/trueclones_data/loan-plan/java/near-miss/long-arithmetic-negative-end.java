static List<Integer> balances(int amount, int rate, int payment) {
    List<Integer> result = new ArrayList<>();
    long balance = amount;
    for (int month = 1; month <= 12 && balance > 0; month++) {
        balance += (balance * rate + 60_000) / 120_000;
        balance = balance - payment;
        result.add((int) balance);
    }
    return result;
}
