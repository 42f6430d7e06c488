String[] order(String[] names) {
    String[] copy = names.clone();
    Arrays.sort(copy, Comparator.comparing(this::codes, Arrays::compare));
    return copy;
}

// A number becomes itself, a letter a code above all numbers.
private int[] codes(String name) {
    return Pattern.compile("\\d+|[a-z]")
            .matcher(name)
            .results()
            .map(MatchResult::group)
            .mapToInt(p -> Character.isDigit(p.charAt(0)) ? Integer.parseInt(p) : 1_000_000_000 + p.charAt(0))
            .toArray();
}
