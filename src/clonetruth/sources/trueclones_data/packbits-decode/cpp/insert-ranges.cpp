std::vector<int> unpackBits(const std::vector<int>& data) {
    std::vector<int> out;
    auto it = data.begin();
    while (it != data.end()) {
        const int header = *it++;
        const auto left = data.end() - it;
        if (header < 128) {
            if (left < header + 1) return {-1};
            out.insert(out.end(), it, it + header + 1);
            it += header + 1;
        } else if (header > 128) {
            if (left == 0) return {-1};
            out.insert(out.end(), 257 - header, *it++);
        }
    }
    return out;
}
