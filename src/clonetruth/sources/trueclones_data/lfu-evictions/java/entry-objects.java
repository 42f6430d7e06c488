List<Integer> run(int capacity, List<Integer> requests) {
    List<Entry> entries = new ArrayList<>();
    List<Integer> victims = new ArrayList<>();
    for (Integer key : requests) {
        Optional<Entry> hit = entries.stream().filter(e -> e.key == key).findAny();
        Entry entry = hit.orElseGet(() -> new Entry(key));
        if (hit.isPresent()) {
            entries.remove(entry);
        } else if (entries.size() >= capacity) {
            Entry worst = Collections.min(entries, Comparator.comparingInt(e -> e.uses));
            entries.remove(worst);
            victims.add(worst.key);
        }
        entry.uses++;
        entries.add(entry);
    }
    return victims;
}

static class Entry {
    final int key;
    int uses;

    Entry(int key) {
        this.key = key;
    }
}
