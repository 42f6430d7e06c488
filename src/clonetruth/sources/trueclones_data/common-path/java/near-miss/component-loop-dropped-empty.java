public static String commonPath(List<String> paths) {
    if (paths.isEmpty()) return "";
    String[] first = paths.get(0).split("/", -1);
    int count = first.length;
    for (String path : paths) {
        String[] parts = path.split("/");
        int i = 0;
        while (i < Math.min(count, parts.length) && parts[i].equals(first[i])) i++;
        count = i;
    }
    if (count == 1 && first[0].isEmpty() && paths.stream().noneMatch(String::isEmpty)) return "/";
    return String.join("/", Arrays.copyOf(first, count));
}
