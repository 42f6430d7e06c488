vector<int> unpack(vector<int> bytes) {
    vector<int> result;
    for (auto from = bytes.begin(); from != bytes.end();) {
        auto last = find_if(from, bytes.end(), [](int b) { return b < 128; });
        if (last - from > 3) {
            result.push_back(-1);
            break;
        }
        // Horner's rule, the highest digit first
        if (last == bytes.end()) last--;
        int number = *last & 127;
        for (auto digit = last; digit != from;) number = number * 128 + *--digit - 128;
        result.push_back(number);
        from = last + 1;
    }
    return result;
}
