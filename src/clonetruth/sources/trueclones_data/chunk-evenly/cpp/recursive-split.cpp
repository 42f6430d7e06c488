using Numbers = std::vector<int>;

static void split(const Numbers& numbers, std::size_t first, std::size_t chunks, std::vector<Numbers>& into) {
    if (chunks == 0) return;
    // the first chunk takes its share of what is left, rounded up
    std::size_t left = numbers.size() - first;
    std::size_t share = (left + chunks - 1) / chunks;
    Numbers chunk;
    for (std::size_t i = first; i < first + share; i++)
        chunk.push_back(numbers[i]);
    into.push_back(chunk);
    split(numbers, first + share, chunks - 1, into);
}

std::vector<std::vector<int>> pieces(Numbers numbers, int count) {
    std::vector<Numbers> found;
    split(numbers, 0, count, found);
    return found;
}
