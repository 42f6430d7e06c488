public static String toBase64(int[] data) {
    byte[] bytes = new byte[data.length];
    for (int i = 0; i < data.length; i++) {
        bytes[i] = (byte) data[i];
    }
    return Base64.getEncoder().encodeToString(bytes);
}
