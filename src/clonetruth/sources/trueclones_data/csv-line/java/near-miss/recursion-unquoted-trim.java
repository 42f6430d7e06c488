static List<String> cells(String rest) {
    LinkedList<String> result;
    Matcher m = Pattern.compile("\"((?:[^\"]|\"\")*)\"|[^,]*").matcher(rest);
    m.lookingAt();
    String cell = m.group(1) == null ? m.group().trim() : m.group(1).replace("\"\"", "\"");
    if (m.end() == rest.length()) {
        result = new LinkedList<>();
    } else {
        result = new LinkedList<>(cells(rest.substring(m.end() + 1)));
    }
    result.addFirst(cell);
    return result;
}
