static String packLetters(String letters) {
    int size = letters.length();
    int[] starts = IntStream.range(0, size)
            .filter(i -> i == 0 || letters.charAt(i - 1) != letters.charAt(i))
            .toArray();
    return IntStream.range(0, starts.length)
            .mapToObj(k -> {
                int stop = k + 1 < starts.length ? starts[k + 1] : size;
                return String.valueOf(letters.charAt(starts[k])) + (stop - starts[k]);
            })
            .collect(Collectors.joining());
}
