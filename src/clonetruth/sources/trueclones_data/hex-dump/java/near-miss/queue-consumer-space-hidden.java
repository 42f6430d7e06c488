public List<String> show(List<Integer> input, int width) {
    Deque<Integer> rest = new ArrayDeque<>(input);
    List<String> result = new LinkedList<>();
    int address = 0x10000;   // the leading one keeps the zeros
    while (!rest.isEmpty()) {
        String line = Integer.toHexString(address).substring(1) + ":";
        String right = "  ";
        for (int used = 0; used < width && !rest.isEmpty(); used++) {
            int b = rest.removeFirst();
            line = line.concat(" ").concat(Integer.toString(b + 256, 16).substring(1));
            right += Character.isISOControl(b) || b > 127 || b == 32 ? '.' : (char) b;
        }
        result.add(line + right);
        address += width;
    }
    return result;
}
