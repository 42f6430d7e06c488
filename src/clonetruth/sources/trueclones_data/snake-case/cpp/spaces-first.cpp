#include <algorithm>
#include <cctype>
#include <sstream>
#include <string>

// Spaces are put where words begin, from the right, then the words are read.
std::string underscored(std::string text) {
    std::replace_if(text.begin(), text.end(), [](unsigned char c) { return !std::isalnum(c); }, ' ');
    for (std::size_t i = text.size(); i-- > 1;) {
        const bool capital = std::isupper(text[i]);
        const bool afterCapital = std::isupper(text[i - 1]);
        const bool beforeSmall = i + 1 < text.size() && std::islower(text[i + 1]);
        if (capital && (!afterCapital || beforeSmall)) text.insert(i, " ");
    }
    std::istringstream words(text);
    std::string word, result;
    while (words >> word) {
        if (!result.empty()) result += '_';
        for (char c : word) result += std::tolower(c);
    }
    return result;
}
