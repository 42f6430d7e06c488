#include <string>

std::string humanSize(long long bytes) {
    static const char* const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
    int unit = 0;
    long long size = 1;
    while (bytes / size >= 1024) {
        size *= 1024;
        ++unit;
    }
    std::string text = std::to_string(bytes / size);
    const long long tenth = unit == 0 ? 0 : bytes / (size / 1024) % 1024 * 10 / 1024;
    if (tenth > 0) {
        text += '.';
        text += std::to_string(tenth);
    }
    return text + " " + units[unit];
}
