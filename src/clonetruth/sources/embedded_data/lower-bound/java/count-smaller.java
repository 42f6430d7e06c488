static int rank(List<Integer> values, int limit) {
    return (int) values.stream().filter(value -> value < limit).count();
}
