using Tokens = std::vector<std::string>;

// Strings keep their quotes, and anything that is not JSON becomes the token "?".
static Tokens tokenize(const std::string& text) {
    Tokens tokens;
    for (size_t i = 0; i < text.size();) {
        size_t end = i + 1;
        if (text[i] == ' ') {
            i++;
            continue;
        }
        if (text[i] == '"') {
            end = text.find('"', i + 1);
            if (end == std::string::npos) return {"?"};
            end++;
        } else if (isalnum(text[i])) {
            while (end < text.size() && isalnum(text[end])) end++;
        }
        std::string token = text.substr(i, end - i);
        if (isalpha(token[0]) && token != "true" && token != "false" && token != "null") token = "?";
        bool number = std::all_of(token.begin(), token.end(), ::isdigit);
        if (isdigit(token[0]) && (!number || (token[0] == '0' && token.size() > 1))) token = "?";
        tokens.push_back(token);
        i = end;
    }
    tokens.push_back("end");
    return tokens;
}

static bool build(const Tokens& t, size_t& at, std::string& out) {
    const std::string first = t[at++];
    if (first != "[" && first != "{") {
        out = first;
        return first != "end" && (first.size() > 1 || isdigit(first[0]));
    }
    const bool object = first == "{";
    const std::string close = object ? "}" : "]";
    std::vector<std::pair<std::string, std::string>> parts;
    bool more = t[at] != close;
    if (!more) at++;
    while (more) {
        std::string key, value;
        if (object) {
            key = t[at++];
            if (key[0] != '"' || t[at++] != ":") return false;
            key = key.substr(1, key.size() - 2);
        }
        if (!build(t, at, value)) return false;
        if (object) {
            auto same = [&](const std::pair<std::string, std::string>& part) { return part.first == key; };
            parts.erase(std::remove_if(parts.begin(), parts.end(), same), parts.end());
            value = '"' + key + "\":" + value;
        }
        parts.emplace_back(key, value);
        if (t[at] != "," && t[at] != close) return false;
        more = t[at++] == ",";
    }
    if (object) std::sort(parts.begin(), parts.end());
    out = first;
    for (size_t i = 0; i < parts.size(); i++) out += (i ? "," : "") + parts[i].second;
    out += close;
    return true;
}

std::string normalize(std::string text) {
    size_t at = 0;
    std::string out;
    Tokens tokens = tokenize(text);
    if (tokens[0] == "?" || !build(tokens, at, out)) return "error";
    return tokens[at] == "end" ? out : "error";
}
