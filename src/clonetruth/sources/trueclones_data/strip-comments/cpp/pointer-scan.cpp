#include <cstring>
#include <string>

std::string uncommented(const std::string& program) {
    std::string out;
    const char* p = program.c_str();
    while (*p) {
        if (std::strncmp(p, "//", 2) == 0) {
            p += std::strcspn(p, "\n");
            continue;
        }
        if (std::strncmp(p, "/*", 2) == 0) {
            const char* end = std::strstr(p + 2, "*/");
            p = end ? end + 2 : p + std::strlen(p);
            out += ' ';
            continue;
        }
        const bool string = *p == '"';
        out += *p++;
        while (string && *p) {
            const char c = *p++;
            out += c;
            if (c == '\\' && *p) out += *p++;
            if (c == '"') break;
        }
    }
    return out;
}
