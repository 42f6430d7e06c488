// Compares characters, and goes back to the last place where all paths have the end of a component.
std::string prefix(std::vector<std::string> paths) {
    if (paths.size() < 2) return paths.empty() ? std::string() : paths[0];
    const std::string& first = paths[0];
    auto at = [](const std::string& path, std::size_t i) { return i < path.size() ? path[i] : '/'; };

    std::size_t length = 0;
    bool found = false;
    for (std::size_t i = 0; i <= first.size(); i++) {
        bool ends = at(first, i) == '/';
        for (const std::string& path : paths) {
            if (i > path.size() || at(path, i) != at(first, i)) {
                goto done;
            }
        }
        if (ends) {
            length = i;
            found = true;
        }
    }
done:
    if (found && length == 0) {
        for (const std::string& path : paths) {
            if (path.empty()) return "";
        }
        return "/";
    }
    return first.substr(0, length);
}
