String[] edit(String[] lines, String[] edits) {
    String[] kept = lines.clone();
    boolean[] deleted = new boolean[lines.length];
    StringBuilder[] inserted = new StringBuilder[10];
    for (int i = 0; i < 10; i++) inserted[i] = new StringBuilder();
    for (String e : edits) {
        int number = e.charAt(0) - '0';
        String text = e.substring(2);
        if (e.charAt(1) == '+') {
            inserted[number].append(text).append('\n');
        } else if (number >= 1 && number <= lines.length) {
            deleted[number - 1] = e.charAt(1) == '-';
            if (!deleted[number - 1]) kept[number - 1] = text;
        }
    }
    StringBuilder all = new StringBuilder(inserted[0]);
    for (int i = 0; i < lines.length; i++) {
        if (!deleted[i]) all.append(kept[i]).append('\n');
        all.append(inserted[i + 1]);
    }
    return all.length() == 0 ? new String[0] : all.substring(0, all.length() - 1).split("\n");
}
