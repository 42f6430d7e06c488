String uncomment(String program) {
    Pattern tokens = Pattern.compile("(\"(?:[^\"\\\\]|\\\\.)*+\"?)|//[^\n]*|(/\\*(?:.*?\\*/|.*))", Pattern.DOTALL);
    return tokens.matcher(program).replaceAll(found -> {
        if (found.group(1) != null) return found.group();
        return found.group(2) == null ? "" : " ";
    });
}
