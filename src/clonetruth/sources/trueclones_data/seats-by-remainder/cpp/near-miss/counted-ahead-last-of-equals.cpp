#include <numeric>
#include <vector>

// A party gets one more seat if fewer parties are ahead of it than seats are left.
std::vector<int> seatsOf(int seats, const std::vector<int>& votes) {
    const int all = std::accumulate(votes.begin(), votes.end(), 0);
    const int n = votes.size();
    std::vector<int> result(n, 0), rest(n, 0);
    if (all == 0) return result;
    int left = seats;
    for (int i = 0; i < n; ++i) {
        result[i] = votes[i] * seats / all;
        rest[i] = votes[i] * seats % all;
        left -= result[i];
    }
    for (int i = 0; i < n; ++i) {
        int ahead = 0;
        for (int j = 0; j < n; ++j) {
            if (rest[j] > rest[i] || (rest[j] == rest[i] && j > i)) ++ahead;
        }
        if (ahead < left) ++result[i];
    }
    return result;
}
