static vector<int> factors(int n) {
    vector<int> found;
    int d = 2;
    while (n > 1) {
        if (n % d == 0) {
            found.push_back(d);
            n /= d;
        } else if (d * d > n) {
            d = n;
        } else {
            d++;
        }
    }
    return found;
}

string written(int n) {
    vector<int> all = factors(n);
    if (all.empty()) return "1";
    ostringstream out;
    for (size_t i = 0, run; i < all.size(); i += run) {
        run = count(all.begin(), all.end(), all[i]);
        if (i) out << " * ";
        out << all[i];
        if (run != 1) out << "^" << run;
    }
    return out.str();
}
