// Text behind an opening brace is held back until it is clear whether it is a placeholder.
string fill(string format, vector<string> names, vector<string> values) {
    map<string, string> known;
    for (size_t i = 0; i < names.size(); i++)
        known[names[i]] = i < values.size() ? values[i] : "{" + names[i] + "}";
    string done, held;
    bool closed = false;  // a single closing brace was read last
    auto release = [&]() {
        done += held;
        held.clear();
    };
    for (char c : format) {
        if (closed) {
            closed = false;
            done += '}';
            if (c == '}') continue;
        }
        if (c == '{' && held == "{") {
            done += '{';
            held.clear();
        } else if (c == '{') {
            release();
            held = "{";
        } else if (c == '}' && held.size() > 1) {
            auto found = known.find(held.substr(1));
            done += found == known.end() ? held + "}" : found->second;
            held.clear();
        } else if (!held.empty() && c >= 'a' && c <= 'z') {
            held += c;
        } else {
            release();
            if (c == '}') closed = true;
            else done += c;
        }
    }
    release();
    return closed ? done + "}" : done;
}
