String[] leaders(String[] words, int k) {
    String[] sorted = words.clone();
    Arrays.sort(sorted);
    List<String> result = new ArrayList<>();
    int wanted = words.length;
    // goes down from the highest possible frequency
    for (int times = words.length; times > 0 && result.size() < k; times--) {
        int i = 0;
        while (i < sorted.length) {
            int j = i;
            while (j < sorted.length && sorted[j].equals(sorted[i])) j++;
            if (j - i == times) result.add(sorted[i]);
            i = j;
        }
    }
    return result.toArray(new String[0]);
}
