std::string nameOf(int number) {
    if (number == 0) return "";
    const int before = (number - 1) / 26;
    return nameOf(before) + char('A' + number - before * 26 - 1);
}
