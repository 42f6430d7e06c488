String escape(String s) {
    String result = s.replace("\\", "\\\\").replace("\"", "\\\"");
    String plain = "\b\f\n\r\t";
    String names = "bfnrt";
    for (int i = 0; i < plain.length(); i++) {
        result = result.replace(plain.substring(i, i + 1), "\\" + names.charAt(i));
    }
    return "\"" + Pattern.compile("[^ -~]").matcher(result).replaceAll(m -> {
        String units = "";
        for (char unit : m.group().toCharArray()) {
            units += "\\\\u" + Integer.toHexString(0x10000 | unit).substring(1);
        }
        return units;
    }) + "\"";
}
