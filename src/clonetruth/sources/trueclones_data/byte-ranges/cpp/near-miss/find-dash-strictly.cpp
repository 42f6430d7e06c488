std::vector<std::vector<int>> served(const std::string& ranges, int fileBytes) {
    std::vector<std::vector<int>> result;
    std::stringstream parts(ranges);
    std::string part;
    while (std::getline(parts, part, ',')) {
        size_t dash = part.find('-');
        int first, last = fileBytes - 1;
        if (dash == 0) {
            first = std::max(0, fileBytes - std::stoi(part.substr(1)));
        } else {
            first = std::stoi(part.substr(0, dash));
            if (dash + 1 < part.size()) last = std::min(last, std::stoi(part.substr(dash + 1)));
        }
        if (first < last) result.push_back({first, last});
    }
    return result;
}
