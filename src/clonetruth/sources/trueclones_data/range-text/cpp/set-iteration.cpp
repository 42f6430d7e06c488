std::string ranges(const std::vector<int>& numbers) {
    std::set<int> sorted(numbers.begin(), numbers.end());
    std::ostringstream out;
    const char* separator = "";
    for (auto it = sorted.begin(); it != sorted.end();) {
        int first = *it, last = first;
        while (++it != sorted.end() && *it == last + 1) ++last;
        out << separator << first;
        separator = ",";
        if (last == first + 1) out << ',' << last;
        if (last > first + 1) out << '-' << last;
    }
    return out.str();
}
