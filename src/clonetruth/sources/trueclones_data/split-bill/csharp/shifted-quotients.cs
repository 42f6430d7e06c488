static int[] Split(int amount, int people) =>
    Enumerable.Range(0, people).Select(seat => (amount + people - 1 - seat) / people).ToArray();
