int[] select(String field, int low, int high) {
    return Stream.of(field.split(","))
            .flatMapToInt(item -> numbers(item, low, high))
            .filter(n -> n >= low && n <= high)
            .sorted()
            .distinct()
            .toArray();
}

IntStream numbers(String item, int low, int high) {
    Matcher m = Pattern.compile("(\\*|\\d+)(?:-(\\d+))?(?:/(\\d+))?").matcher(item);
    m.matches();
    boolean all = m.group(1).equals("*");
    int first = all ? low : Integer.parseInt(m.group(1));
    int last = all ? high : m.group(2) == null ? first : Integer.parseInt(m.group(2));
    int step = m.group(3) == null ? 1 : Integer.parseInt(m.group(3));
    return IntStream.iterate(first, n -> n <= last, n -> n + step);
}
