static bool parseAddress(const std::string& text, std::bitset<32>& bits) {
    std::stringstream in(text + ".");
    std::string octet;
    int count = 0;
    while (std::getline(in, octet, '.')) {
        bool digits = !octet.empty() && octet.size() < 4 && std::all_of(octet.begin(), octet.end(), ::isdigit);
        if (!digits || std::to_string(std::stoi(octet)) != octet || std::stoi(octet) > 255) return false;
        bits = bits << 8 | std::bitset<32>(std::stoi(octet));
        count++;
    }
    return count == 4;
}

bool belongs(std::string address, std::string network) {
    size_t slash = network.find('/');
    if (slash == std::string::npos) return false;
    std::string prefix = network.substr(slash + 1);
    if (prefix.empty() || prefix.size() > 2 || !std::all_of(prefix.begin(), prefix.end(), ::isdigit)) return false;
    int length = std::stoi(prefix);
    if (length > 32 || std::to_string(length) != prefix) return false;

    std::bitset<32> a, n;
    if (!parseAddress(address, a) || !parseAddress(network.substr(0, slash), n)) return false;
    for (int i = 0; i < length; i++)
        if (a[31 - i] != n[31 - i]) return false;
    return true;
}
