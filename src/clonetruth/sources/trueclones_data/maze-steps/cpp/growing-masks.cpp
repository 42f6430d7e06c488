// A maze has 36 fields at most: the fields reached so far are bits of one word.
int shortest(vector<string> rows) {
    int w = rows[0].size(), h = rows.size();
    typedef unsigned long long Fields;
    Fields open = 0, doors[3] = {}, notFirst = 0, notLast = 0;
    for (int r = 0; r < h; r++) {
        for (int c = 0; c < w && c < (int)rows[r].size(); c++) {
            Fields bit = 1ULL << (r * w + c);
            if (rows[r][c] != '#') open |= bit;
            if (isdigit(rows[r][c])) doors[rows[r][c] - '1'] |= bit;
            if (c > 0) notFirst |= bit;
            if (c + 1 < w) notLast |= bit;
        }
    }
    Fields goal = 1ULL << (w * h - 1), reached = open & 1, before = 0;
    for (int steps = 0; reached != before; steps++) {
        if (reached & goal) return steps;
        before = reached;
        Fields grown = before << w | before >> w | (before << 1 & notFirst) | (before >> 1 & notLast);
        for (Fields d : doors)
            if (before & d) grown |= d;
        reached |= grown & open;
    }
    return -1;
}
