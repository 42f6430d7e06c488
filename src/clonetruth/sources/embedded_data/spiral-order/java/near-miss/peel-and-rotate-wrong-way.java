List<Integer> peel(List<List<Integer>> rows) {
    List<Integer> result = new ArrayList<>();
    if (rows.isEmpty()) {
        return result;
    }
    result.addAll(rows.get(0));
    result.addAll(peel(turnLeft(rows.subList(1, rows.size()))));
    return result;
}

List<List<Integer>> turnLeft(List<List<Integer>> rows) {
    List<List<Integer>> turned = new ArrayList<>();
    int width = rows.isEmpty() ? 0 : rows.get(0).size();
    for (int column = 0; column < width; column++) {
        List<Integer> line = new ArrayList<>();
        for (List<Integer> row : rows) {
            line.add(row.get(column));
        }
        turned.add(line);
    }
    return turned;
}
