// Units are ten bits apart, so that the highest bit tells the unit.
std::string formatBytes(unsigned long long bytes) {
    if (bytes < 1024) return std::to_string(bytes) + " B";
    const int power = (63 - __builtin_clzll(bytes)) / 10;
    const int shift = 10 * power;
    const unsigned long long tenths = bytes * 10 >> shift;
    std::ostringstream out;
    out << tenths / 10;
    if (tenths % 10 != 0) out << '.' << tenths % 10;
    out << ' ' << "KMGTP"[power - 1] << "iB";
    return out.str();
}
