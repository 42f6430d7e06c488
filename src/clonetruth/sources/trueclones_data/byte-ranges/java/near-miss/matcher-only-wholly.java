int[][] positions(String ranges, int size) {
    Matcher m = Pattern.compile("(\\d*)-(\\d*)").matcher(ranges);
    List<int[]> found = new ArrayList<>();
    while (m.find()) {
        String a = m.group(1), b = m.group(2);
        int low = a.isEmpty() ? size - Math.min(size, Integer.parseInt(b)) : Integer.parseInt(a);
        int high = a.isEmpty() || b.isEmpty() ? size - 1 : Integer.parseInt(b);
        if (high >= size || low > high) continue;
        found.add(new int[] {low, high});
    }
    return found.toArray(new int[0][]);
}
