public static String titleCase(String text) {
    Set<String> small = Set.of("a", "an", "and", "of", "or", "the", "to");
    List<int[]> words = new ArrayList<>();
    Matcher m = Pattern.compile("[^ -]+").matcher(text);
    while (m.find()) words.add(new int[] {m.start(), m.end()});
    StringBuilder result = new StringBuilder(text.toLowerCase(Locale.ROOT));
    for (int i = 0; i < words.size(); i++) {
        int start = words.get(i)[0], end = words.get(i)[1];
        boolean edge = i == 0 || i == words.size() - 1;
        if (edge || !small.contains(result.substring(start, end))) {
            result.setCharAt(start, Character.toUpperCase(result.charAt(start)));
        }
    }
    return result.toString();
}
