#include <bitset>
#include <string>
#include <vector>

std::string toText(const std::vector<int>& data, bool forUrl) {
    static const std::string common = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    const std::string alphabet = common + (forUrl ? "-_" : "+/");
    std::string bits;
    for (int byte : data) bits += std::bitset<8>(byte).to_string();
    bits.append((6 - bits.size() % 6) % 6, '0');
    std::string text;
    for (std::size_t at = 0; at < bits.size(); at += 6) {
        text += alphabet[std::stoi(bits.substr(at, 6), nullptr, 2)];
    }
    while (!forUrl && text.size() % 4 != 0) text += '=';
    return text;
}
