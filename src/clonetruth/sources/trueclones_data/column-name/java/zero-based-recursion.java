String label(int column) {
    return zeroBased(column - 1);
}

private String zeroBased(int index) {
    String last = Character.toString((char) (65 + index % 26));
    return index < 26 ? last : zeroBased(index / 26 - 1) + last;
}
