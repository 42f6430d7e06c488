std::string roundMoney(const std::string& amount) {
    long long units = 0;
    int places = -1;
    for (char c : amount) {
        if (c == '.') places = 0;
        if (!isdigit(c)) continue;
        units = units * 10 + (c - '0');
        if (places >= 0) ++places;
    }
    for (int i = std::max(places, 0); i < 5; ++i) units *= 10;
    long long cents = units / 1000;
    long long rest = units % 1000;
    if (rest + cents % 2 > 500) ++cents;
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%s%lld.%02lld", amount[0] == '-' && cents ? "-" : "", cents / 100, cents % 100);
    return buffer;
}
