public String commonStart(List<String> paths) {
    List<String> best = null;
    for (String path : paths) {
        List<String> prefixes = new ArrayList<>();
        for (int at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
            prefixes.add(path.substring(0, at));
        }
        prefixes.add(path);
        if (best == null) best = prefixes;
        else best.retainAll(prefixes);
    }
    if (best == null || best.isEmpty()) return "";
    String longest = best.get(best.size() - 1);
    boolean rooted = longest.isEmpty() && paths.stream().allMatch(p -> !p.isEmpty() && p.charAt(0) == '/');
    return rooted ? "/" : longest;
}
