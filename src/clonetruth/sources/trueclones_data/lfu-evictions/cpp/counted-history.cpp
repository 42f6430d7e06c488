// The uses of a key are its requests since it came in.
vector<int> leaving(int capacity, vector<int> requests) {
    vector<int> inside, since(8, -1), gone;
    for (int now = 0; now < (int)requests.size(); now++) {
        int key = requests[now];
        if (find(inside.begin(), inside.end(), key) != inside.end()) continue;
        if ((int)inside.size() == capacity) {
            int out = -1, fewest = 99, oldest = 99;
            for (int one : inside) {
                int uses = 0, last = 0;
                for (int t = since[one]; t < now; t++)
                    if (requests[t] == one) uses++, last = t;
                if (uses < fewest || (uses == fewest && last < oldest)) {
                    out = one;
                    fewest = uses;
                    oldest = last;
                }
            }
            gone.push_back(out);
            inside.erase(find(inside.begin(), inside.end(), out));
        }
        inside.push_back(key);
        since[key] = now;
    }
    return gone;
}
