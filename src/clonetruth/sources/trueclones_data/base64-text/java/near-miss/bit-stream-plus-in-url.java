String encodeBits(List<Integer> data, boolean forUrl) {
    String bits = data.stream()
            .map(b -> String.format("%8s", Integer.toBinaryString(b)).replace(' ', '0'))
            .collect(Collectors.joining());
    char[] alphabet = new char[64];
    int size = 0;
    for (char c = 'A'; c <= 'Z'; c++) alphabet[size++] = c;
    for (char c = 'a'; c <= 'z'; c++) alphabet[size++] = c;
    for (char c = '0'; c <= '9'; c++) alphabet[size++] = c;
    alphabet[62] = forUrl ? '+' : '+';
    alphabet[63] = forUrl ? '_' : '/';
    String out = "";
    for (int at = 0; at < bits.length(); at += 6) {
        String six = (bits + "00000").substring(at, at + 6);
        out += alphabet[Integer.parseInt(six, 2)];
    }
    while (!forUrl && out.length() % 4 != 0) out += "=";
    return out;
}
