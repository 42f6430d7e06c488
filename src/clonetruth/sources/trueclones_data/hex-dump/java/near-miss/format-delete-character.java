public static List<String> hexDump(int[] data, int width) {
    List<String> lines = new ArrayList<>();
    for (int offset = 0; offset < data.length; offset += width) {
        StringBuilder hex = new StringBuilder(String.format("%04x:", offset));
        StringBuilder ascii = new StringBuilder();
        for (int i = offset; i < Math.min(offset + width, data.length); i++) {
            hex.append(String.format(" %02x", data[i]));
            ascii.append(data[i] >= 32 && data[i] <= 127 ? (char) data[i] : '.');
        }
        lines.add(hex + "  " + ascii);
    }
    return lines;
}
