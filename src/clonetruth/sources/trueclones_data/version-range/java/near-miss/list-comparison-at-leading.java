boolean matches(String version, String range) {
    if (range.contains("||")) {
        return Stream.of(range.split("\\|\\|")).anyMatch(one -> test(version, one));
    }
    return Stream.of(range.split(" ")).allMatch(one -> test(version, one));
}

private boolean test(String version, String condition) {
    Matcher m = Pattern.compile("(|>=|<|~|\\^)(\\d+)\\.(\\d+)\\.(\\d+)").matcher(condition);
    m.matches();
    List<Integer> want = List.of(Integer.valueOf(m.group(2)), Integer.valueOf(m.group(3)), Integer.valueOf(m.group(4)));
    List<Integer> have = Stream.of(version.split("[.]")).map(Integer::valueOf).collect(Collectors.toList());
    int first = 0;
    while (first < 3 && have.get(first).equals(want.get(first))) first++;
    // first is where they differ, 3 if they do not
    boolean greater = first < 3 && have.get(first) > want.get(first);
    boolean equal = first == 3;
    switch (m.group(1)) {
        case "":
            return equal;
        case ">=":
            return equal || greater;
        case "<":
            return !equal && !greater;
        case "~":
            return equal || greater && first == 2;
        default:
            int leading = 0;
            while (leading < 2 && want.get(leading) == 0) leading++;
            return equal || greater && first >= leading;
    }
}
