static String lookUp(List<String> lines, String section, String key) {
    String text = lines.stream().map(String::trim).collect(Collectors.joining("\n"));
    Pattern item = Pattern.compile("^(?:[;#].*|\\[ *(.*?) *\\]|([^=\n]*?) *= *(.*))$", Pattern.MULTILINE);
    Matcher m = item.matcher(text);
    String open = null, answer = null;
    while (m.find()) {
        if (m.group(1) != null) {
            open = m.group(1);
        } else if (section.equals(open) && key.equals(m.group(2))) {
            answer = m.group(3);
        }
    }
    return Objects.requireNonNullElse(answer, "(missing)");
}
