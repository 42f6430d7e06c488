static List<String> normalise(String[] input) {
    String shared = null;
    List<String> kept = new ArrayList<>();
    int pending = 0;
    for (String line : input) {
        if (line.trim().isEmpty()) {
            pending++;
            continue;
        }
        // empty lines are written only when a line follows them, and none before the first
        while (pending > 0 && !kept.isEmpty()) {
            kept.add("");
            pending--;
        }
        pending = 0;
        kept.add(line);
        String indent = line.substring(0, line.indexOf(line.trim()));
        if (shared == null || line.length() < shared.length()) shared = indent;
    }
    final String prefix = shared;
    kept.replaceAll(line -> line.isEmpty() ? line : line.substring(prefix.length()));
    return kept;
}
