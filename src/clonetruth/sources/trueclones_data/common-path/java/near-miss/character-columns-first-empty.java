static String shared(List<String> paths) {
    if (paths.size() < 2) return paths.isEmpty() ? "" : paths.get(0);
    int end = -1;
    for (int i = 0; ; i++) {
        Set<Character> column = new HashSet<>();
        boolean finished = false;
        for (String path : paths) {
            column.add(i < path.length() ? path.charAt(i) : ' ');
            finished |= i >= path.length();
        }
        if (column.size() > 1) break;
        if (column.contains('/')) end = i;
        if (finished) break;
    }
    if (end == 0 && paths.stream().noneMatch(String::isEmpty)) return "/";
    return end < 0 ? "" : paths.get(0).substring(0, Math.min(end, paths.get(0).length()));
}
