public boolean checkNesting(String line) {
    StringBuilder expected = new StringBuilder();
    for (int i = 0; i < line.length(); i++) {
        char c = line.charAt(i);
        int opener = "([{".indexOf(c);
        if (opener >= 0) {
            expected.append(")]}".charAt(opener));
        } else if (")]}".indexOf(c) >= 0) {
            int last = expected.length() - 1;
            if (last < 0 || expected.charAt(last) != c) {
                return false;
            }
            expected.setLength(last);
        }
    }
    return expected.length() == 0;
}
