int compare(String word, String other) {
    int n = other.length();
    int[] twoAgo = new int[n + 1], previous = new int[n + 1], current = new int[n + 1];
    for (int j = 0; j <= n; j++) previous[j] = j;
    for (int i = 1; i <= word.length(); i++) {
        char w = word.charAt(i - 1);
        current[0] = i;
        for (int j = 1; j <= n; j++) {
            char o = other.charAt(j - 1);
            int cheapest = IntStream.of(previous[j], current[j - 1], previous[j - 1]).min().getAsInt() + 1;
            if (w == o) cheapest = Math.min(cheapest, previous[j - 1]);
            boolean swap = i > 1 && j > 1 && w == other.charAt(j - 2) && o == word.charAt(i - 2);
            current[j] = swap ? Math.min(cheapest, twoAgo[j - 2] + 1) : cheapest;
        }
        int[] spare = twoAgo;
        twoAgo = previous;
        previous = current;
        current = spare;
    }
    return previous[n];
}
