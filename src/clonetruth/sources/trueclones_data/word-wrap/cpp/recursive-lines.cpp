#include <sstream>
#include <string>
#include <vector>

static void fill(std::istringstream& words, std::string line, std::size_t width, std::vector<std::string>& lines) {
    std::string next;
    if (!(words >> next)) {
        lines.push_back(line);
        return;
    }
    if (line.size() + next.size() < width) {
        line += ' ' + next;
    } else {
        lines.push_back(line);
        line = next;
    }
    fill(words, line, width, lines);
}

std::vector<std::string> fold(const std::string& text, int width) {
    std::vector<std::string> lines;
    std::istringstream words(text);
    std::string first;
    if (words >> first) fill(words, first, width, lines);
    return lines;
}
