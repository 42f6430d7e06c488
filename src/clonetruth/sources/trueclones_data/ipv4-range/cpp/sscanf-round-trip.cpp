#include <cstdio>
#include <string>

// What is read and written again must be the same text: that leaves no room for zeros and signs.
static bool parse(const std::string& text, unsigned long& address) {
    unsigned a, b, c, d;
    if (std::sscanf(text.c_str(), "%3u.%3u.%3u.%3u", &a, &b, &c, &d) != 4) return false;
    if (a > 255 || b > 255 || c > 255 || d > 255) return false;
    char again[20];
    std::snprintf(again, sizeof again, "%u.%u.%u.%u", a, b, c, d);
    address = ((a * 256UL + b) * 256 + c) * 256 + d;
    return text == again;
}

bool isMember(const std::string& address, const std::string& network) {
    const std::size_t slash = network.rfind('/');
    if (slash == std::string::npos) return false;
    unsigned long host, net;
    if (!parse(address, host) || !parse(network.substr(0, slash), net)) return false;
    unsigned length;
    const std::string prefix = network.substr(slash + 1);
    if (std::sscanf(prefix.c_str(), "%2u", &length) != 1 || length > 32) return false;
    if (std::to_string(length) != prefix) return false;
    return host >> (32 - length) == net >> (32 - length);
}
