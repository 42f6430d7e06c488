static int[] Split(int amount, int people) =>
    Enumerable.Range(0, people).Select(seat => (amount - 1 - seat) / people + 1).ToArray();
