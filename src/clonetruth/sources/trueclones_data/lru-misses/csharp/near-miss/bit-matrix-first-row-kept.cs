// As in hardware: using slot k fills row k of a bit matrix and clears column k, so rows of old slots run empty.
int CountMisses(int capacity, int[] requests) {
    if (capacity == 0) return requests.Length;
    var keys = new int[capacity];
    var rows = new uint[capacity];
    int used = 0, missed = 0;
    foreach (var key in requests) {
        int slot = Array.IndexOf(keys, key, 0, used);
        if (slot < 0) {
            missed++;
            slot = used < capacity ? used++ : Array.IndexOf(rows, rows.Min());
            keys[slot] = key;
        }
        rows[slot] = uint.MaxValue;
        for (int r = 1; r < capacity; r++) rows[r] &= ~(1u << slot);
    }
    return missed;
}
