#include <cstdio>
#include <set>
#include <sstream>
#include <string>
#include <vector>

std::vector<int> expand(const std::string& field, int low, int high) {
    std::set<int> selected;
    std::stringstream items(field);
    std::string item;
    while (std::getline(items, item, ',')) {
        int first, last, step = 1;
        if (item[0] == '*') {
            first = low;
            last = high;
            std::sscanf(item.c_str(), "*/%d", &step);
        } else if (std::sscanf(item.c_str(), "%d-%d/%d", &first, &last, &step) < 2) {
            last = first;
        }
        for (int n = first; n <= last; n += step) {
            if (n >= low && n <= high) selected.insert(n);
        }
    }
    return std::vector<int>(selected.begin(), selected.end());
}
