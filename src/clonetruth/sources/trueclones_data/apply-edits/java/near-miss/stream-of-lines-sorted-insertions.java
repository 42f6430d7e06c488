List<String> after(List<String> lines, List<String> edits) {
    return IntStream.rangeClosed(0, lines.size())
            .boxed()
            .flatMap(number -> Stream.concat(line(number, lines, edits), inserted(number, edits)))
            .collect(Collectors.toList());
}

private Stream<String> line(int number, List<String> lines, List<String> edits) {
    if (number == 0) return Stream.empty();
    String last = "=" + lines.get(number - 1);
    for (String edit : edits) {
        if (edit.startsWith(number + "-") || edit.startsWith(number + "=")) last = edit.substring(1);
    }
    return last.equals("-") ? Stream.empty() : Stream.of(last.substring(1));
}

private Stream<String> inserted(int number, List<String> edits) {
    return edits.stream().filter(edit -> edit.startsWith(number + "+")).map(edit -> edit.substring(2)).sorted();
}
