public String rle(String word) {
    if (word.length() == 0) return word;
    String head = word.substring(0, 1);
    String rest = word;
    int n = 0;
    do {
        rest = rest.substring(1);
        n++;
    } while (rest.startsWith(head));
    return head + n + rle(rest);
}
