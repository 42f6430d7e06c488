public List<Integer> parse(List<Integer> data) {
    List<Integer> found = new ArrayList<>();
    String digits = "";
    for (Integer b : data) {
        String bits = Integer.toBinaryString(b | 0x100).substring(1);
        digits = bits.substring(1) + digits;
        boolean last = bits.startsWith("0");
        if (!last && digits.length() == 28) break;
        if (last) {
            found.add(Integer.parseInt(digits, 2));
            digits = "";
        }
    }
    if (digits.length() >= 28) {
        found.add(-1);
    }
    return found;
}
