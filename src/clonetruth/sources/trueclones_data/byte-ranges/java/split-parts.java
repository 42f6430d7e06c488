static List<List<Integer>> served(String ranges, int size) {
    List<List<Integer>> result = new ArrayList<>();
    for (String part : ranges.split(",")) {
        int dash = part.indexOf('-');
        int first, last = size - 1;
        if (dash == 0) {
            first = Math.max(0, size - Integer.parseInt(part.substring(1)));
        } else {
            first = Integer.parseInt(part.substring(0, dash));
            if (dash + 1 < part.length()) last = Math.min(last, Integer.parseInt(part.substring(dash + 1)));
        }
        if (first <= last) result.add(List.of(first, last));
    }
    return result;
}
