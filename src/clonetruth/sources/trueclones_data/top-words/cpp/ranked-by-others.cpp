#include <algorithm>
#include <set>
#include <string>
#include <vector>

// A word is taken if fewer than k different words are more frequent.
std::vector<std::string> frequentWords(const std::vector<std::string>& words, int k) {
    const std::set<std::string> different(words.begin(), words.end());
    const auto times = [&](const std::string& word) { return std::count(words.begin(), words.end(), word); };
    std::vector<std::string> chosen;
    for (const auto& word : different) {
        int ahead = 0;
        for (const auto& other : different) ahead += times(other) > times(word);
        if (ahead < k) chosen.push_back(word);
    }
    std::stable_sort(chosen.begin(), chosen.end(), [&](const auto& a, const auto& b) { return times(a) > times(b); });
    return chosen;
}
