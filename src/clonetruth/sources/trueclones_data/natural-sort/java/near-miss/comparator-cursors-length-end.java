public static List<String> naturalSort(List<String> names) {
    List<String> sorted = new ArrayList<>(names);
    sorted.sort((a, b) -> compareNatural(a, b));
    return sorted;
}

static int compareNatural(String a, String b) {
    int i = 0, j = 0;
    while (i < a.length() && j < b.length()) {
        if (Character.isDigit(a.charAt(i)) && Character.isDigit(b.charAt(j))) {
            long x = 0, y = 0;
            while (i < a.length() && Character.isDigit(a.charAt(i))) x = x * 10 + a.charAt(i++) - '0';
            while (j < b.length() && Character.isDigit(b.charAt(j))) y = y * 10 + b.charAt(j++) - '0';
            if (x != y) return Long.compare(x, y);
        } else {
            int difference = a.charAt(i++) - b.charAt(j++);
            if (difference != 0) return difference;
        }
    }
    return a.length() - b.length();
}
