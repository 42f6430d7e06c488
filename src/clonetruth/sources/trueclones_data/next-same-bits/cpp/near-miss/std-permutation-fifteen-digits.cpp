int nextSameOnes(int number) {
    string digits = bitset<15>(number).to_string();
    next_permutation(digits.begin(), digits.end());
    return stoi(digits, nullptr, 2);
}
