int[] seatsOf(int seats, int[] votes) {
    List<Party> parties = new ArrayList<>();
    int total = 0;
    for (int v : votes) {
        parties.add(new Party(v));
        total += v;
    }
    int given = 0;
    for (Party party : parties) given += party.share(seats, total);
    List<Party> ranking = new ArrayList<>(parties);
    ranking.sort(Comparator.comparingInt((Party p) -> p.rest).reversed());
    for (Party party : ranking) {
        if (total > 0 && given < seats) {
            party.seats++;
            given++;
        }
    }
    return parties.stream().mapToInt(p -> p.seats).toArray();
}

static class Party {
    final int votes;
    int seats, rest;

    Party(int votes) {
        this.votes = votes;
    }

    int share(int all, int total) {
        if (total > 0) {
            seats = votes * all / total;
            rest = votes * all % total;
        }
        return seats;
    }
}
