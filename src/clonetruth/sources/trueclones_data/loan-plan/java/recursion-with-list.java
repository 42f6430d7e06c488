List<Integer> schedule(int amount, int rate, int payment) {
    List<Integer> months = new LinkedList<>();
    pay(amount, rate, payment, months);
    return months;
}

private void pay(long balance, int rate, int payment, List<Integer> months) {
    long product = balance * rate;
    long cents = product / 120000;
    if (product % 120000 >= 60000) cents++;
    long left = balance + cents - payment;
    if (left < 0) left = 0;
    months.add((int) left);
    if (left > 0 && months.size() < 12) pay(left, rate, payment, months);
}
