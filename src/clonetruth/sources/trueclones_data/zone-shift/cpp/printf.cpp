std::string shifted(const std::string& time, int fromOffset, int toOffset) {
    int hours = 0, minutes = 0;
    sscanf(time.c_str(), "%d:%d", &hours, &minutes);
    int total = hours * 60 + minutes + toOffset - fromOffset + 2880;
    int days = total / 1440 - 2;
    char buffer[16];
    snprintf(buffer, sizeof buffer, "%02d:%02d", total % 1440 / 60, total % 60);
    std::string text = buffer;
    if (days > 0) text += " +" + std::to_string(days);
    else if (days < 0) text += " " + std::to_string(days);
    return text;
}
