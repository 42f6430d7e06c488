static List<String> applyEdits(List<String> lines, List<String> edits) {
    List<List<String>> slots = new ArrayList<>();
    slots.add(new ArrayList<>(Collections.singletonList(null)));
    for (String line : lines) slots.add(new ArrayList<>(List.of(line)));
    for (String edit : edits) {
        int number = Character.getNumericValue(edit.charAt(0));
        if (number >= slots.size()) continue;
        List<String> slot = slots.get(number);
        if (edit.charAt(1) == '+') slot.add(edit.substring(2));
        else if (number >= 0) slot.set(0, edit.charAt(1) == '-' ? null : edit.substring(2));
    }
    List<String> result = new ArrayList<>();
    for (List<String> slot : slots) {
        for (String line : slot) if (line != null) result.add(line);
    }
    return result;
}
