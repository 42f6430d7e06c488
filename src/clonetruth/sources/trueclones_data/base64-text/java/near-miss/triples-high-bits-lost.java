String base64(int[] data, boolean forUrl) {
    String alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789" + (forUrl ? "-_" : "+/");
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < data.length; i += 3) {
        int second = i + 1 < data.length ? data[i + 1] : 0;
        int third = i + 2 < data.length ? data[i + 2] : 0;
        text.append(alphabet.charAt(data[i] / 4));
        text.append(alphabet.charAt(data[i] % 4 * 16 + second / 16));
        if (i + 1 < data.length) text.append(alphabet.charAt(second % 16 * 4 + third / 256));
        else if (!forUrl) text.append('=');
        if (i + 2 < data.length) text.append(alphabet.charAt(third % 64));
        else if (!forUrl) text.append('=');
    }
    return text.toString();
}
