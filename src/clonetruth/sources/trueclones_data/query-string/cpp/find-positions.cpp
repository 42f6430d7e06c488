static std::string decode(const std::string& raw) {
    std::string plain;
    for (size_t i = 0; i < raw.size(); ++i) {
        if (raw[i] == '%') {
            plain += static_cast<char>(std::stoi(raw.substr(i + 1, 2), nullptr, 16));
            i += 2;
        } else {
            plain += raw[i] == '+' ? ' ' : raw[i];
        }
    }
    return plain;
}

std::string queryValue(const std::string& query, const std::string& key) {
    size_t start = 0;
    while (start <= query.size()) {
        size_t end = query.find('&', start);
        if (end == std::string::npos) end = query.size();
        const std::string pair = query.substr(start, end - start);
        const size_t equals = pair.find('=');
        if (!pair.empty() && decode(pair.substr(0, equals)) == key)
            return equals == std::string::npos ? "" : decode(pair.substr(equals + 1));
        start = end + 1;
    }
    return "(none)";
}
