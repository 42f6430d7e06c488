string bankers(string amount) {
    bool minus = amount[0] == '-';
    if (minus) amount.erase(0, 1);
    size_t point = amount.find('.');
    if (point == string::npos) {
        point = amount.size();
        amount += '.';
    }
    amount.resize(point + 6, '0');
    string tail = amount.substr(point + 3);
    string text = "0" + amount.substr(0, point + 3);
    if (tail > "500" || (tail == "500" && text.back() % 2)) {
        auto digit = text.rbegin();
        for (; *digit == '9' || *digit == '.'; ++digit)
            if (*digit == '9') *digit = '0';
        ++*digit;
    }
    text.erase(0, min(text.find_first_not_of('0'), text.find('.') - 1));
    return (minus && text != "0.00" ? "-" : "") + text;
}
