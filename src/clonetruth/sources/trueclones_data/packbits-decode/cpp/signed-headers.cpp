std::vector<int> decompress(std::vector<int> data) {
    std::vector<int> pixels;
    size_t at = 0;
    auto next = [&] { return data.at(at++); };
    try {
        while (at < data.size()) {
            signed char n = next();
            if (n == -128) continue;
            if (n < 0) {
                pixels.resize(pixels.size() + 1 - n, next());
            } else {
                do pixels.push_back(next());
                while (n-- > 0);
            }
        }
    } catch (const std::out_of_range&) {
        return {-1};
    }
    return pixels;
}
