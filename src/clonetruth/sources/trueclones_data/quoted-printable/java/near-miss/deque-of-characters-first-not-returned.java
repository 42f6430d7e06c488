int[] decodeAll(String text) {
    Deque<Character> input = new ArrayDeque<>();
    boolean blank = true;
    for (int i = text.length() - 1; i >= 0; i--) {
        char c = text.charAt(i);
        if (c == '\n') blank = true;
        if (c != ' ' && c != '\n') blank = false;
        if (c != ' ' || !blank) input.push(c);
    }
    List<Integer> out = new ArrayList<>();
    while (!input.isEmpty()) {
        char c = input.pop();
        if (c != '=' || input.isEmpty()) {
            out.add((int) c);
            continue;
        }
        char first = input.pop();
        if (first == '\n') continue;
        if (!input.isEmpty() && hex(first) >= 0 && hex(input.peek()) >= 0) {
            out.add(hex(first) * 16 + hex(input.pop()));
        } else {
            out.add((int) c);
            out.add((int) first);
        }
    }
    return out.stream().mapToInt(Integer::intValue).toArray();
}

private int hex(char c) {
    return "0123456789ABCDEF".indexOf(Character.toUpperCase(c));
}
