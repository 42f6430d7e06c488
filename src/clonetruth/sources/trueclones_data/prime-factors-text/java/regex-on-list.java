String show(int number) {
    // first the plain product such as "2 * 2 * 3 * ", then repeated factors are contracted
    StringBuilder plain = new StringBuilder();
    int d = 2;
    while (number > 1) {
        if (number % d == 0) {
            plain.append(d).append(" * ");
            number /= d;
        } else if ((long) d * d > number) {
            d = number;
        } else {
            d++;
        }
    }
    if (plain.length() == 0) return "1";
    Matcher runs = Pattern.compile("\\b(\\d+ \\* )\\1*").matcher(plain);
    String contracted = runs.replaceAll(run -> {
        int times = run.group().length() / run.group(1).length();
        String base = run.group(1).replace(" * ", "");
        return (times == 1 ? base : base + "^" + times) + " * ";
    });
    return contracted.substring(0, contracted.length() - 3);
}
