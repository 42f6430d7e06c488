static std::string two(int n) {
    return {static_cast<char>('0' + n / 10), static_cast<char>('0' + n % 10)};
}

std::string timeThere(std::string time, int here, int there) {
    const int day = 24 * 60;
    const int minutes = std::stoi(time) * 60 + std::stoi(time.substr(3)) - here + there;
    int days = minutes / day;
    if (minutes % day <= 0 && minutes < 0) --days;
    const int clock = minutes - days * day;
    std::string result = two(clock / 60) + ":" + two(clock % 60);
    if (days) result += std::string(days > 0 ? " +" : " -") + two(std::abs(days))[1];
    return result;
}
