#include <vector>

std::vector<int> numbersIn(const std::vector<int>& bytes) {
    std::vector<int> found;
    std::size_t at = 0;
    while (at < bytes.size()) {
        int number = 0, place = 1, used = 0;
        bool more = true;
        for (; more && used < 4 && at < bytes.size(); ++at, ++used, place *= 128) {
            more = bytes[at] > 127;
            number += bytes[at] % 128 * place;
        }
        if (more) {
            found.push_back(-1);
            return found;
        }
        found.push_back(number);
    }
    return found;
}
