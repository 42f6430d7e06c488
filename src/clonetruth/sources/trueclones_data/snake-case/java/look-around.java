static String snake(String text) {
    String spaced = text.replaceAll("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_");
    return Arrays.stream(spaced.split("[ _-]"))
            .filter(word -> !word.isEmpty())
            .map(word -> word.toLowerCase(Locale.ROOT))
            .collect(Collectors.joining("_"));
}
