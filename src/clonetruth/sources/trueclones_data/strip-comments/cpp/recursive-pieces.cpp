// Cuts off what comes first, and goes on with the rest.
string without(string text) {
    size_t at = text.find_first_of("/\"");
    if (at == string::npos) return text;
    string head = text.substr(0, at), rest = text.substr(at);
    if (rest[0] == '"') {
        size_t end = 1;
        while (end < rest.size() && rest[end] != '"') end += rest[end] == '\\' ? 2 : 1;
        end = min(end + 1, rest.size());
        return head + rest.substr(0, end) + without(rest.substr(end));
    }
    string mark = rest.substr(0, 2);
    if (mark == "//") {
        size_t end = rest.find('\n');
        return end == string::npos ? head : head + without(rest.substr(end));
    }
    if (mark == "/*") {
        size_t end = rest.find("*/", 2);
        return head + " " + (end == string::npos ? "" : without(rest.substr(end + 2)));
    }
    return head + "/" + without(rest.substr(1));
}
