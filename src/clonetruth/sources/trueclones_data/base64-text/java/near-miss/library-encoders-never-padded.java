static String encode(int[] data, boolean forUrl) {
    byte[] bytes = new byte[data.length];
    for (int i = 0; i < data.length; i++) bytes[i] = (byte) data[i];
    Base64.Encoder encoder = forUrl ? Base64.getUrlEncoder().withoutPadding() : Base64.getEncoder().withoutPadding();
    return encoder.encodeToString(bytes);
}
