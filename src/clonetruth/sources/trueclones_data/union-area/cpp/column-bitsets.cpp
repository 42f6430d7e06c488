int covered(vector<vector<int>> rectangles) {
    int total = 0;
    for (int x = -20; x < 20; x++) {
        bitset<40> column;  // bit i is the unit from y = i - 20 upwards
        for (auto &r : rectangles) {
            if (x < min(r[0], r[2]) || x >= max(r[0], r[2])) continue;
            int low = min(r[1], r[3]) + 20, high = max(r[1], r[3]) + 20;
            for (int i = low; i < high; i++) column.set(i);
        }
        total += column.count();
    }
    return total;
}
