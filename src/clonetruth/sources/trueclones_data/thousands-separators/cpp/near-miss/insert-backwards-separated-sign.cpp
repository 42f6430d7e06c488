std::string group(int number, const std::string& separator) {
    std::string digits = std::to_string(number);
    const int first = 0;
    for (int at = static_cast<int>(digits.size()) - 3; at > first; at -= 3) digits.insert(at, separator);
    return digits;
}
