#include <map>
#include <stdexcept>
#include <string>

struct JsonReader {
    std::string s;
    std::size_t i = 0;

    void spaces() {
        while (i < s.size() && s[i] == ' ') ++i;
    }

    bool take(char c) {
        spaces();
        if (i >= s.size() || s[i] != c) return false;
        ++i;
        return true;
    }

    void need(char c) {
        if (!take(c)) throw std::runtime_error("expected");
    }

    std::string text() {
        need('"');
        const std::size_t end = s.find('"', i);
        if (end == std::string::npos) throw std::runtime_error("open string");
        const std::string found = s.substr(i, end - i);
        i = end + 1;
        return found;
    }

    std::string value() {
        if (take('{')) return object();
        if (take('[')) return array();
        if (i < s.size() && s[i] == '"') return '"' + text() + '"';
        for (const char* word : {"true", "false", "null"}) {
            const std::string w(word);
            if (s.compare(i, w.size(), w) == 0) {
                i += w.size();
                return w;
            }
        }
        const std::size_t start = i;
        while (i < s.size() && s[i] >= '0' && s[i] <= '9') ++i;
        if (i == start || (i - start > 1 && s[start] == '0')) throw std::runtime_error("no value");
        return s.substr(start, i - start);
    }

    std::string object() {
        std::map<std::string, std::string> members;
        if (!take('}')) {
            do {
                const std::string key = text();
                need(':');
                members.emplace(key, value());
            } while (take(','));
            need('}');
        }
        std::string out;
        for (const auto& member : members) {
            out += (out.empty() ? "\"" : ",\"") + member.first + "\":" + member.second;
        }
        return "{" + out + "}";
    }

    std::string array() {
        if (take(']')) return "[]";
        std::string out = "[" + value();
        while (take(',')) out += "," + value();
        need(']');
        return out + "]";
    }
};

std::string canonical(const std::string& text) {
    try {
        JsonReader reader{text};
        const std::string found = reader.value();
        reader.spaces();
        return reader.i == text.size() ? found : "error";
    } catch (const std::runtime_error&) {
        return "error";
    }
}
