#include <algorithm>
#include <array>
#include <string>

// Texts are short, so the rows have a fixed size; row i is kept at i modulo 3.
int osa(const std::string& a, const std::string& b) {
    std::array<std::array<int, 9>, 3> row{};
    for (size_t j = 0; j <= b.size(); j++) row[0][j] = j;
    for (size_t i = 1; i <= a.size(); i++) {
        auto& here = row[i % 3];
        const auto& up = row[(i + 2) % 3];
        const auto& upper = row[(i + 1) % 3];
        here[0] = i;
        for (size_t j = 1; j <= b.size(); j++) {
            here[j] = up[j - 1] + (a[i - 1] != b[j - 1]);
            here[j] = std::min(here[j], up[j] + 1);
            here[j] = std::min(here[j], here[j - 1] + 1);
            if (i > 1 && j > 1 && a[i - 2] == b[j - 1] && a[i - 1] == b[j - 2])
                here[j] = std::min(here[j], upper[j - 2] + 1);
        }
    }
    return row[a.size() % 3][b.size()];
}
