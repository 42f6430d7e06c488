String shorten(List<Integer> given) {
    // A number is left out if both its neighbours are present; the next one then gets a hyphen.
    StringBuilder text = new StringBuilder();
    boolean gap = false;
    for (int n = 0; n <= 40; n++) {
        if (!given.contains(n)) continue;
        if (given.contains(n - 1) && given.contains(n + 1)) {
            gap = true;
            continue;
        }
        if (text.length() > 0) text.append(gap ? '-' : ',');
        text.append(n);
        gap = false;
    }
    return text.toString();
}
