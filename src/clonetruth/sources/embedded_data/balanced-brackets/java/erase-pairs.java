boolean wellFormed(String source) {
    String brackets = source.replaceAll("[^()\\[\\]{}]", "");
    int before;
    do {
        before = brackets.length();
        brackets = brackets.replace("()", "").replace("[]", "").replace("{}", "");
    } while (brackets.length() < before);
    return brackets.isEmpty();
}
