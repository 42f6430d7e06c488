List<Integer> indices(List<String> names) {
    List<List<Object>> keys = names.stream().map(this::key).collect(Collectors.toList());
    return IntStream.range(0, keys.size()).mapToObj(i -> keys.indexOf(keys.get(i))).collect(Collectors.toList());
}

private List<Object> key(String name) {
    String letters = name.toUpperCase();
    int[] sounding = IntStream.range(0, letters.length())
            .filter(i -> i == 0 || "HW".indexOf(letters.charAt(i)) < 0)
            .map(i -> group(letters.charAt(i)))
            .toArray();
    List<Object> key = IntStream.range(1, sounding.length)
            .filter(i -> sounding[i] > 0 && sounding[i] != sounding[i - 1])
            .mapToObj(i -> sounding[i])
            .limit(3)
            .collect(Collectors.toCollection(ArrayList::new));
    key.add(0, letters.charAt(0));
    return key;
}

private int group(char letter) {
    String[] groups = {"BFPV", "CGJKQSXZ", "DT", "L", "MN", "R"};
    for (int g = 0; g < groups.length; g++) {
        if (groups[g].indexOf(letter) >= 0) return g;
    }
    return -1;
}
