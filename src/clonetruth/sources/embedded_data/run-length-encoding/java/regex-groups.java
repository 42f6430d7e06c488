String compress(String s) {
    Matcher runs = Pattern.compile("(.)\\1*").matcher(s);
    return runs.replaceAll(run -> run.group(1) + run.group().length());
}
