#include <cstdio>
#include <string>

static void appendUnit(std::string& out, unsigned unit) {
    char buffer[8];
    std::snprintf(buffer, sizeof buffer, "\\u%04x", unit);
    out += buffer;
}

std::string quote(const std::string& text) {
    std::string out = "\"";
    for (std::size_t i = 0; i < text.size();) {
        const unsigned char lead = text[i++];
        // how many bytes follow the first one
        int more = lead < 0xC0 ? 0 : lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
        unsigned code = more == 0 ? lead : lead & (0x3F >> more);
        for (; more > 0; --more) {
            code = code << 6 | (text[i++] & 0x3F);
        }
        switch (code) {
            case '"': out += "\\\""; break;
            case '\\': out += "\\\\"; break;
            case '\b': out += "\\b"; break;
            case '\f': out += "\\f"; break;
            case '\n': out += "\\n"; break;
            case '\r': out += "\\r"; break;
            case '\t': out += "\\t"; break;
            default:
                if (code >= 0x10000) {
                    appendUnit(out, 0xD800 + ((code - 0x10000) >> 10));
                    appendUnit(out, 0xDC00 + (code & 0x3FF));
                } else if (code < 0x20 || code > 0x7E) {
                    appendUnit(out, code);
                } else {
                    out += static_cast<char>(code);
                }
        }
    }
    return out + "\"";
}
