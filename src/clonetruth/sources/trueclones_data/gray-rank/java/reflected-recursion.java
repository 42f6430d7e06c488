public int position(int word) {
    int top = Integer.highestOneBit(word);
    return top == 0 ? 0 : top + (top - 1 - position(word ^ top));
}
