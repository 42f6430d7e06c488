static int compare(String v1, String v2) {
    int i = 0, j = 0;
    while (i < v1.length() || j < v2.length()) {
        int part1 = 0, part2 = 0;
        while (i < v1.length() && v1.charAt(i) != '.') {
            part1 = part1 * 10 + (v1.charAt(i) - '0');
            i++;
        }
        while (j < v2.length() && v2.charAt(j) != '.') {
            part2 = part2 * 10 + (v2.charAt(j) - '0');
            j++;
        }
        if (part1 != part2) {
            return part1 > part2 ? 1 : -1;
        }
        i++;
        j++;
    }
    return 0;
}
