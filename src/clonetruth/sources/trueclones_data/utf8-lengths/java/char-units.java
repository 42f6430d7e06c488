public String cut(String text, int limit) {
    StringBuilder out = new StringBuilder();
    int left = limit;
    for (char unit : text.toCharArray()) {
        if (Character.isLowSurrogate(unit)) {
            // paid together with the first half
            if (Character.isHighSurrogate(out.length() == 0 ? 'x' : out.charAt(out.length() - 1))) out.append(unit);
            continue;
        }
        if (unit <= 0x7F) left -= 1;
        else if (unit <= 0x7FF) left -= 2;
        else if (Character.isHighSurrogate(unit)) left -= 4;
        else left -= 3;
        if (left < 0) break;
        out.append(unit);
    }
    return out.toString();
}
