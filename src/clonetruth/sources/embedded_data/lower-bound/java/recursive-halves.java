private int search(List<Integer> list, int wanted) {
    if (list.isEmpty()) {
        return 0;
    }
    int half = list.size() / 2;
    if (list.get(half) >= wanted) {
        return search(list.subList(0, half), wanted);
    }
    return half + 1 + search(list.subList(half + 1, list.size()), wanted);
}
