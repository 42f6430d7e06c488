public int[] decompress(int[] data) {
    IntStream.Builder out = IntStream.builder();
    int at = 0;
    try {
        while (at < data.length) {
            byte header = (byte) data[at++];
            if (header >= 0) {
                for (int left = header; left >= 0; left--) out.add(data[at++]);
            } else if (header != Byte.MIN_VALUE) {
                int value = data[at++];
                for (int left = -header; left >= 0; left--) out.add(value);
            }
        }
    } catch (ArrayIndexOutOfBoundsException tooShort) {
        return new int[] {-1};
    }
    return out.build().toArray();
}
