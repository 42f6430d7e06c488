std::string fitting(const std::string& text, int limit) {
    size_t used = 0;
    while (used < text.size()) {
        const unsigned char lead = text[used];
        // The first byte says how long the character is.
        const size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
        if (used + length > static_cast<size_t>(limit)) break;
        used += length;
    }
    return text.substr(0, used);
}
