static List<Integer> shareOut(int cents, int guests) {
    return IntStream.range(0, guests)
        .map(seat -> (cents + guests - seat) / guests)
        .boxed()
        .collect(Collectors.toList());
}
