public static List<Integer> parseField(String field, int low, int high) {
    TreeSet<Integer> values = new TreeSet<>();
    for (String item : field.split(",")) {
        String[] parts = item.split("/");
        int step = parts.length == 2 ? Integer.parseInt(parts[1]) : 1;
        int from, to;
        if (parts[0].equals("*")) {
            from = low;
            to = high;
        } else {
            String[] ends = parts[0].split("-");
            from = Integer.parseInt(ends[0]);
            to = Integer.parseInt(ends[ends.length - 1]);
        }
        for (int value = from; value <= to; value += step) {
            values.add(value);
        }
    }
    return new ArrayList<>(values.subSet(low, true, high, true));
}
