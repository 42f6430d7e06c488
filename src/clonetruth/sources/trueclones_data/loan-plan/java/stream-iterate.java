List<Integer> remaining(int amount, int rate, int payment) {
    List<Integer> all = Stream.iterate(amount, b -> next(b, rate, payment)).skip(1).limit(12).collect(Collectors.toList());
    int zero = all.indexOf(0);
    return zero < 0 ? all : all.subList(0, zero + 1);
}

private int next(int balance, int rate, int payment) {
    long millionths = 12L * 10_000;
    long interest = Math.floorDiv(2L * balance * rate + millionths, 2 * millionths);
    long due = balance + interest;
    return due < payment ? 0 : (int) (due - payment);
}
