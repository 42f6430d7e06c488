bool before(const string &left, const string &right) {
    const char *p = left.c_str(), *q = right.c_str();
    for (;;) {
        if (isdigit(*p) && isdigit(*q)) {
            // strtol moves both pointers behind their numbers
            char *pEnd, *qEnd;
            long x = strtol(p, &pEnd, 10), y = strtol(q, &qEnd, 10);
            if (x != y) return x < y;
            p = pEnd;
            q = qEnd;
        } else if (*p != *q || *p == 0) {
            return *p < *q;
        } else {
            p++, q++;
        }
    }
}

vector<string> sortNames(vector<string> names) {
    vector<string> result;
    for (auto &name : names)
        result.insert(upper_bound(result.begin(), result.end(), name, before), name);
    return result;
}
