public int toInt(String s) {
    Map<String, Integer> symbols = new LinkedHashMap<>();
    symbols.put("M", 1000);
    symbols.put("CM", 900);
    symbols.put("D", 500);
    symbols.put("CD", 400);
    symbols.put("C", 100);
    symbols.put("XC", 90);
    symbols.put("L", 50);
    symbols.put("XL", 40);
    symbols.put("X", 10);
    symbols.put("IX", 9);
    symbols.put("V", 5);
    symbols.put("IV", 4);
    symbols.put("I", 1);
    int sum = 0;
    String left = s;
    int below = Integer.MAX_VALUE;
    for (Map.Entry<String, Integer> symbol : symbols.entrySet()) {
        int size = symbol.getValue(), times = 0;
        while (left.startsWith(symbol.getKey())) {
            if (sum % 10000 > 0 && below <= size) return -1;
            left = left.substring(symbol.getKey().length());
            sum += size;
            times++;
        }
        boolean power = size == 1 || size == 10 || size == 100 || size == 1000;
        if (times > (power ? 3 : 1)) return -1;
        // nothing that adds up to a whole place may follow a four, a five or a nine
        if (times > 0 && !power) below = Integer.toString(size).charAt(0) == '5' ? size / 5 * 4 : unit(size);
    }
    return left.isEmpty() && sum > 0 ? sum : -1;
}

private int unit(int size) {
    return size >= 100 ? 100 : size >= 10 ? 10 : 1;
}
