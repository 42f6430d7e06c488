#include <cctype>
#include <string>

static bool isSmallWord(const std::string& word) {
    for (const char* small : {"a", "an", "and", "of", "or", "the", "to"})
        if (word == small) return true;
    return false;
}

// All words get capitals first; then those small words lose theirs that have words on both sides.
std::string inTitleCase(std::string text) {
    const auto letter = [](char c) { return c != ' ' && c != '-'; };
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool begins = i == 0 || !letter(text[i - 1]);
        text[i] = begins ? std::toupper(text[i]) : std::tolower(text[i]);
    }
    bool before = false;
    for (std::size_t i = 0; i < text.size();) {
        std::size_t end = i;
        while (end < text.size() && letter(text[end])) ++end;
        std::string word = text.substr(i, end - i);
        if (word.empty()) {
            ++i;
            continue;
        }
        word[0] = std::tolower(word[0]);
        bool behind = false;
        for (std::size_t k = end; k < text.size(); ++k) behind = behind || letter(text[k]);
        if (before && behind && isSmallWord(word)) text[i] = word[0];
        before = true;
        i = end;
    }
    return text;
}
