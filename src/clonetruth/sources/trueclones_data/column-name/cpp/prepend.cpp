std::string columnName(int number) {
    std::string name;
    for (; number > 0; number = (number - 1) / 26) {
        name = static_cast<char>('A' + (number - 1) % 26) + name;
    }
    return name;
}
