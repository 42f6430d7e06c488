List<int[]> slices(String ranges, int size) {
    return Arrays.stream(ranges.split(","))
            .map(part -> bounds(part, size))
            .filter(pair -> pair[0] < size && pair[0] <= pair[1])
            .map(pair -> new int[] {pair[0], Math.min(pair[1], size - 1)})
            .collect(Collectors.toList());
}

private int[] bounds(String part, int size) {
    if (part.startsWith("-")) {
        int count = Integer.parseInt(part.substring(1));
        return new int[] {Math.max(size - count, 0), count == 0 ? -1 : size};
    }
    if (part.endsWith("-")) return new int[] {Integer.parseInt(part.replace("-", "")), Integer.MAX_VALUE};
    String[] ends = part.split("-");
    return new int[] {Integer.parseInt(ends[0]), Integer.parseInt(ends[1])};
}
