// Fourteen nodes fit into a word: a component grows until it has all neighbours of its nodes.
std::vector<int> sizesOfComponents(std::vector<std::vector<int>> links) {
    std::vector<unsigned> reach(links.size());
    for (size_t i = 0; i < links.size(); i++) {
        reach[i] |= 1u << i;
        for (int j : links[i]) {
            reach[i] |= 1u << j;
            reach[j] |= 1u << i;
        }
    }
    std::multiset<int, std::greater<int>> sizes;
    unsigned seen = 0;
    for (size_t start = 0; start < reach.size(); start++) {
        if (seen >> start & 1) continue;
        unsigned component = reach[start], before = 0;
        while (component != before) {
            before = component;
            for (size_t k = 0; k < reach.size(); k++)
                if (before >> k & 1) component |= reach[k];
        }
        seen |= component;
        sizes.insert(__builtin_popcount(component));
    }
    return {sizes.begin(), sizes.end()};
}
