#include <string>

struct Unit {
    const char* name;
    long long size;
};

// Tries the units from the largest to the smallest.
std::string describe(long long bytes) {
    const Unit units[] = {{" PiB", 1LL << 50}, {" TiB", 1LL << 40}, {" GiB", 1LL << 30}, {" MiB", 1LL << 20}, {" KiB", 1024}};
    for (const Unit& unit : units) {
        if (bytes >= unit.size) {
            const long long tenths = bytes * 10 / unit.size;
            std::string digits = std::to_string(tenths);
            const char last = digits.back();
            digits.pop_back();
            if (last != '0') digits = digits + '.' + last;
            return digits + unit.name;
        }
    }
    return std::to_string(bytes) + " B";
}
