#include <codecvt>
#include <iomanip>
#include <locale>
#include <sstream>

// UTF-16 code units are what JSON writes, so the text is converted to them first.
std::string toJson(std::string text) {
    std::wstring_convert<std::codecvt_utf8_utf16<char16_t>, char16_t> converter;
    const std::string special = "\"\\\b\f\n\r\t", letters = "\"\\bfnrt";
    std::ostringstream json;
    json << '"' << std::hex << std::setfill('0');
    for (char16_t unit : converter.from_bytes(text)) {
        const size_t known = unit < 128 ? special.find(static_cast<char>(unit)) : std::string::npos;
        if (known != std::string::npos)
            json << '\\' << letters[known];
        else if (unit >= ' ' && unit <= '~')
            json << static_cast<char>(unit);
        else
            json << "\\u" << std::setw(4) << static_cast<unsigned>(unit);
    }
    json << '"';
    return json.str();
}
