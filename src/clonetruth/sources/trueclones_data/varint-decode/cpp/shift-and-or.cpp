std::vector<int> decodeVarints(const std::vector<int>& data) {
    std::vector<int> numbers;
    int value = 0, shift = 0;
    for (int byte : data) {
        if (shift == 28) break;  // a fifth byte
        value |= (byte & 0x7F) << shift;
        shift += 7;
        if ((byte & 0x80) == 0) {
            numbers.push_back(value);
            value = shift = 0;
        }
    }
    if (shift > 0) numbers.push_back(-1);
    return numbers;
}
