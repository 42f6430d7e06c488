List<String> patch(List<String> lines, List<String> edits) {
    List<String> result = new LinkedList<>(lines);
    List<String> order = new ArrayList<>(edits);
    // the sort is stable: edits of one line stay in their order
    order.sort(Comparator.comparingInt(e -> -e.charAt(0)));
    for (int i = 0; i < order.size(); ) {
        int number = order.get(i).charAt(0) - '0', place = number;
        String change = null;
        for (; i < order.size() && order.get(i).charAt(0) - '0' == number; i++) {
            String edit = order.get(i);
            if (number > lines.size()) continue;
            if (edit.charAt(1) == '+') result.add(place, edit.substring(2));
            else change = edit;
        }
        if (change == null || number == 0) continue;
        if (change.endsWith("-")) result.remove(number - 1);
        else result.set(number - 1, change.substring(2));
    }
    return result;
}
