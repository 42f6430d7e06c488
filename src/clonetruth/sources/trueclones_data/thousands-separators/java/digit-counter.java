String punctuated(int number, String mark) {
    char[] chars = Integer.toString(number).toCharArray();
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < chars.length; i++) {
        out.append(chars[i]);
        int remaining = chars.length - 1 - i;
        // no mark after the sign and none at the end
        if (chars[i] != '-' && remaining > 0 && remaining % 3 == 0) out.append(mark);
    }
    return out.toString();
}
