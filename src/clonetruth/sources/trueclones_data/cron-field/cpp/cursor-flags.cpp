struct Cursor {
    std::string text;
    std::size_t pos = 0;

    bool accept(char c) {
        if (pos == text.size() || text[pos] != c) return false;
        ++pos;
        return true;
    }

    int number() {
        int value = 0;
        while (pos < text.size() && isdigit(text[pos])) value = value * 10 + text[pos++] - '0';
        return value;
    }
};

std::vector<int> selectedNumbers(std::string field, int low, int high) {
    std::vector<bool> on(100, false);
    Cursor in{field};
    do {
        int from = low, to = high, every = 1;
        if (!in.accept('*')) {
            from = to = in.number();
            if (in.accept('-')) to = in.number();
        }
        if (in.accept('/')) every = in.number();
        for (; from <= to; from += every) on[from] = true;
    } while (in.accept(','));

    std::vector<int> result;
    for (int n = low; n <= high; ++n)
        if (on[n]) result.push_back(n);
    return result;
}
