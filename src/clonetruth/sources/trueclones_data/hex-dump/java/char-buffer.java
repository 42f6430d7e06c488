static String[] render(int[] data, int width) {
    final String digits = "0123456789abcdef";
    int rows = data.length / width + (data.length % width == 0 ? 0 : 1);
    String[] out = new String[rows];
    for (int r = 0; r < rows; r++) {
        int from = r * width;
        int n = Math.min(width, data.length - from);
        char[] line = new char[5 + 3 * n + 2 + n];
        Arrays.fill(line, ' ');
        for (int k = 0; k < 4; k++) line[k] = digits.charAt(from >> (12 - 4 * k) & 0xF);
        line[4] = ':';
        for (int k = 0; k < n; k++) {
            int b = data[from + k];
            line[6 + 3 * k] = digits.charAt(b / 16);
            line[7 + 3 * k] = digits.charAt(b % 16);
            line[7 + 3 * n + k] = b > 31 && b < 127 ? (char) b : '.';
        }
        out[r] = new String(line);
    }
    return out;
}
