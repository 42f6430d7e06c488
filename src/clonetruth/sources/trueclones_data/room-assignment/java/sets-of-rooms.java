List<Integer> numbers(List<Integer> starts, List<Integer> lengths) {
    int n = Math.min(starts.size(), lengths.size());
    List<Integer> result = new ArrayList<>();
    IntStream.range(0, n).forEach(i -> {
        Set<Integer> taken = IntStream.range(0, i)
                .filter(j -> starts.get(j) + lengths.get(j) > starts.get(i))
                .mapToObj(result::get)
                .collect(Collectors.toSet());
        result.add(IntStream.iterate(1, room -> room + 1).filter(room -> !taken.contains(room)).findFirst().getAsInt());
    });
    return result;
}
