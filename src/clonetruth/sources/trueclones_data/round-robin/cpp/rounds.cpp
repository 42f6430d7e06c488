#include <algorithm>
#include <vector>

// In each round every job that is left runs once, in the given order.
std::vector<int> completion(std::vector<int> needs, int quantum) {
    std::vector<int> done(needs.size(), 0);
    int clock = 0;
    int running = -1;
    for (bool left = true; left;) {
        left = false;
        for (std::size_t job = 0; job < needs.size(); ++job) {
            if (needs[job] <= 0) continue;
            if (running >= 0 && running != static_cast<int>(job)) ++clock;
            running = job;
            clock += std::min(quantum, needs[job]);
            needs[job] -= quantum;
            if (needs[job] <= 0) done[job] = clock;
            left = left || needs[job] > 0;
        }
    }
    return done;
}
