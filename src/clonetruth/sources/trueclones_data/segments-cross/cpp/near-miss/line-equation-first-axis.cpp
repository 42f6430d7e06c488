bool share(vector<int> a, vector<int> b) {
    auto value = [](const vector<int>& s, int i, const vector<int>& t) {
        return (t[3] - t[1]) * (s[i] - t[0]) - (t[2] - t[0]) * (s[i + 1] - t[1]);
    };
    for (int axis = 0; axis < 1; axis++) {
        if (max(a[axis], a[axis + 2]) < min(b[axis], b[axis + 2])) return false;
        if (max(b[axis], b[axis + 2]) < min(a[axis], a[axis + 2])) return false;
    }
    return value(a, 0, b) * value(a, 2, b) <= 0 && value(b, 0, a) * value(b, 2, a) <= 0;
}
