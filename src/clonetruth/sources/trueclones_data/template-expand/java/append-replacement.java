public static String expand(String template, List<String> names, List<String> values) {
    Matcher m = Pattern.compile("\\{\\{|}}|\\{([a-z]+)}").matcher(template);
    StringBuilder out = new StringBuilder();
    while (m.find()) {
        String text;
        if (m.group(1) == null) {
            text = m.group().substring(1);
        } else {
            int index = names.indexOf(m.group(1));
            text = index >= 0 && index < values.size() ? values.get(index) : m.group();
        }
        m.appendReplacement(out, Matcher.quoteReplacement(text));
    }
    return m.appendTail(out).toString();
}
