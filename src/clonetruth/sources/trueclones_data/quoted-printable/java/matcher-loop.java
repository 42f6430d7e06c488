static List<Integer> decode(String text) {
    String joined = text.replaceAll(" +(?=\n|\\z)", "");
    Matcher m = Pattern.compile("=\n|=([0-9A-F]{2})|(.|\n)", Pattern.CASE_INSENSITIVE).matcher(joined);
    List<Integer> bytes = new ArrayList<>();
    while (m.find()) {
        if (m.group(1) != null) bytes.add(Integer.parseInt(m.group(1), 16));
        else if (m.group(2) != null) bytes.add((int) m.group(2).charAt(0));
    }
    return bytes;
}
