#include <deque>
#include <sstream>
#include <string>
#include <vector>

std::vector<std::string> justified(const std::string& text, int width) {
    std::deque<std::string> words;
    std::istringstream in(text);
    for (std::string word; in >> word;) words.push_back(word);

    std::vector<std::string> lines;
    while (!words.empty()) {
        std::vector<std::string> row{words.front()};
        int used = words.front().size();
        words.pop_front();
        while (!words.empty() && used + 1 + static_cast<int>(words.front().size()) <= width) {
            used += 1 + words.front().size();
            row.push_back(words.front());
            words.pop_front();
        }
        int extra = words.empty() ? 0 : width - used;
        std::string line = row[0];
        for (std::size_t i = 1; i < row.size(); ++i) {
            // of what is left, each gap gets its part, rounded up
            const int gaps = row.size() - i;
            const int own = (extra + gaps - 1) / gaps;
            extra -= own;
            line += std::string(1 + own, ' ') + row[i];
        }
        lines.push_back(line);
    }
    return lines;
}
