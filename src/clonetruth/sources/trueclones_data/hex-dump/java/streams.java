List<String> dump(List<Integer> bytes, int perLine) {
    return IntStream.range(0, (bytes.size() + perLine - 1) / perLine)
            .mapToObj(row -> line(row * perLine, bytes.subList(row * perLine, Math.min((row + 1) * perLine, bytes.size()))))
            .collect(Collectors.toList());
}

String line(int offset, List<Integer> row) {
    String codes = row.stream().map(b -> hex(b, 2)).collect(Collectors.joining(" "));
    String text = row.stream()
            .map(b -> Character.toString(b))
            .map(c -> c.matches("\\p{Print}") ? c : ".")
            .collect(Collectors.joining());
    return hex(offset, 4) + ": " + codes + "  " + text;
}

String hex(int value, int digits) {
    String plain = Integer.toHexString(value);
    return "0".repeat(digits - plain.length()) + plain;
}
