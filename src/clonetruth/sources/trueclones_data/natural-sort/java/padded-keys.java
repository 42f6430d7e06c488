static List<String> sorted(List<String> names) {
    Map<String, List<String>> byKey = new TreeMap<>();
    for (String name : names) {
        StringBuilder key = new StringBuilder();
        for (String part : name.split("(?<=\\D)|(?=\\D)")) {
            boolean digits = part.charAt(0) <= '9';
            key.append(digits ? String.format("%08d ", Integer.parseInt(part)) : part);
        }
        byKey.computeIfAbsent(key.toString(), k -> new ArrayList<>()).add(name);
    }
    return byKey.values().stream().flatMap(List::stream).collect(Collectors.toList());
}
