bool continues(char byte) {
    return (byte & 0xC0) == 0x80;
}

string truncated(string text, int limit) {
    if ((int)text.size() <= limit) return text;
    // text[limit] is the first byte that does not fit: if it continues a character, that character goes, too
    while (limit > 0 && continues(text[limit])) limit--;
    text.resize(limit);
    return text;
}
