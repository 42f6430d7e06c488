// One bit for each line of the second file; a zero bit marks a step of the longest common subsequence.
public int[] counts(String[] before, String[] after) {
    int all = (1 << after.length) - 1;
    int state = all;
    for (String line : before) {
        int matches = 0;
        for (int j = 0; j < after.length; j++) {
            if (after[j].equals(line)) matches |= 1 << j;
        }
        int hit = state & matches;
        state = (state + hit | state - hit) & all;
    }
    int kept = after.length - Integer.bitCount(state);
    return new int[] {kept, before.length - kept, after.length - kept};
}
