static List<Integer> matching(String expression, int lowest, int highest) {
    IntPredicate any = n -> false;
    for (String term : expression.split(",")) {
        int slash = term.indexOf('/');
        String span = slash < 0 ? term : term.substring(0, slash);
        int every = slash < 0 ? 1 : Integer.parseInt(term.substring(slash + 1));
        int dash = span.indexOf('-');
        if (span.equals("*")) {
            any = any.or(n -> (n - lowest) % every == 0);
        } else if (dash > 0) {
            int a = Integer.parseInt(span.substring(0, dash));
            int b = Integer.parseInt(span.substring(dash + 1));
            any = any.or(n -> n >= a && n <= b && (n - a) % every == 0);
        } else {
            int only = Integer.parseInt(span);
            any = any.or(n -> n == only);
        }
    }
    return IntStream.rangeClosed(lowest, highest).filter(any).boxed().collect(Collectors.toList());
}
