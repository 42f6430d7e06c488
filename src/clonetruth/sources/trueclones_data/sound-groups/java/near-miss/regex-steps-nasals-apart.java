List<Integer> firstAlike(List<String> names) {
    List<String> codes = new ArrayList<>();
    for (String name : names) {
        String s = name.toLowerCase();
        String rest = s.substring(1).replaceAll("[hw]", "");
        String all = (s.charAt(0) + rest)
                .replaceAll("[bfpv]+", "1")
                .replaceAll("[cgjkqsxz]+", "2")
                .replaceAll("[dt]+", "3")
                .replaceAll("l+", "4")
                .replaceAll("m+|n+", "5")
                .replaceAll("r+", "6");
        String tail = all.substring(1).replaceAll("[a-z]", "") + "000";
        codes.add(s.charAt(0) + tail.substring(0, 3));
    }
    return codes.stream().map(codes::indexOf).collect(Collectors.toList());
}
