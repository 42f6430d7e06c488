private static String runLengths(final String source) {
    String code = "";
    int begin = 0;
    while (begin < source.length()) {
        int end = begin;
        while (end < source.length() && source.charAt(end) == source.charAt(begin)) {
            end++;
        }
        code += source.substring(begin, begin + 1) + (end - begin);
        begin = end;
    }
    return code;
}
