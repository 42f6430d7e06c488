#include <array>
#include <sstream>
#include <string>

// One form for each ASCII character, made once.
static const std::array<std::string, 128>& forms() {
    static std::array<std::string, 128> all;
    if (all['a'].empty()) {
        for (int c = 0; c < 128; ++c) {
            std::ostringstream form;
            if (c >= ' ' && c != 127) form << char(c);
            else form << "\\u00" << (c / 16) << "0123456789abcdef"[c % 16];
            all[c] = form.str();
        }
        const std::string with = "\"\\\b\f\n\r\t", letters = "\"\\bfnrt";
        for (std::size_t i = 0; i < with.size(); ++i) all[with[i]] = std::string("\\") + letters[i];
    }
    return all;
}

static std::string unit(unsigned value) {
    std::string form = "\\u";
    for (int shift = 12; shift >= 0; shift -= 4) form += "0123456789abcdef"[value >> shift & 15];
    return form;
}

std::string jsonText(const std::string& text) {
    std::string json = "\"";
    unsigned point = 0;
    int left = 0;
    for (unsigned char byte : text) {
        if (byte < 128) {
            json += forms()[byte];
        } else if (byte >= 0xC0) {
            left = byte >= 0xF0 ? 3 : byte >= 0xE0 ? 2 : 1;
            point = byte & (0x3F >> left);
        } else {
            point = point * 64 + (byte & 0x3F);
            if (--left > 0) continue;
            json += point > 0xFFFF ? unit(0xD7C0 + (point >> 10)) + unit(0xDC00 + point % 1024) : unit(point);
        }
    }
    return json + '"';
}
