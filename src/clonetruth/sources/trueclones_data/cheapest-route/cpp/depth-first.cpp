static void drive(const vector<vector<int>>& roads, int place, int goal, unsigned visited, int spent, int& best) {
    if (best >= 0 && spent >= best) return;
    if (place == goal) {
        best = spent;
        return;
    }
    visited |= 1u << place;
    for (const auto& road : roads)
        if (road[0] == place && !(visited >> road[1] & 1)) drive(roads, road[1], goal, visited, spent + road[2], best);
}

int fare(vector<vector<int>> roads, int start, int goal) {
    int best = -1;
    drive(roads, start, goal, 0, 0, best);
    return best;
}
