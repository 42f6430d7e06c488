std::string twoPlaces(std::string amount) {
    std::istringstream in(amount);
    const bool minus = in.peek() == '-';
    if (minus) in.get();
    long whole;
    std::string fraction;
    in >> whole;
    if (in.get() == '.') in >> fraction;
    fraction.resize(5, '0');
    long cents = whole * 100 + std::stoi(fraction.substr(0, 2));
    const int order = fraction.compare(2, 3, "500");
    cents += order > 0 || (order == 0 && cents % 2 != 0);
    std::ostringstream out;
    if (minus && cents > 0) out << '-';
    out << cents / 100 << '.' << cents % 100 / 10 << cents % 10;
    return out.str();
}
