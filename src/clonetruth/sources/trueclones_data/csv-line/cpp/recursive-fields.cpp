// One field, then the fields behind its comma.
static void read(const char* p, std::vector<std::string>& fields) {
    std::string field;
    if (*p == '"') {
        for (++p; *p != '"' || p[1] == '"'; ++p) {
            if (*p == '"') ++p;
            field += *p;
        }
        ++p;
    } else {
        while (*p && *p != ',') field += *p++;
    }
    fields.push_back(field);
    if (*p == ',') read(p + 1, fields);
}

std::vector<std::string> split_csv(std::string line) {
    std::vector<std::string> fields;
    read(line.c_str(), fields);
    return fields;
}
