static String separate(int n, String sep) {
    return String.valueOf(n).replaceAll("(?<=\\d)(?=(\\d{3})+$)", sep);
}
