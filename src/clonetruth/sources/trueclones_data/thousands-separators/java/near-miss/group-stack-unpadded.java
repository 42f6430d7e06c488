public String show(int number, String separator) {
    Deque<String> groups = new ArrayDeque<>();
    long rest = number < 0 ? -(long) number : number;
    do {
        long group = rest % 1000;
        rest /= 1000;
        groups.push(rest > 0 ? String.format("%3d", group).trim() : Long.toString(group));
    } while (rest > 0);
    return (number < 0 ? "-" : "") + String.join(separator, groups);
}
