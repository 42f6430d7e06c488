#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

std::vector<std::vector<int>> satisfiable(const std::string& ranges, int fileBytes) {
    std::vector<std::vector<int>> found;
    const char* at = ranges.c_str();
    while (true) {
        char* end;
        // a leading minus sign makes the number of last bytes negative
        const bool suffix = *at == '-';
        const long number = std::strtol(at, &end, 10);
        long first = suffix ? std::max(fileBytes + number, 0L) : number;
        long last = fileBytes - 1;
        if (!suffix && end[1] >= '0' && end[1] <= '9') last = std::min(last, std::strtol(end + 1, &end, 10));
        if (first <= last) found.push_back({int(first), int(last)});
        while (*end && *end != ',') ++end;
        if (!*end) return found;
        at = end + 1;
    }
}
