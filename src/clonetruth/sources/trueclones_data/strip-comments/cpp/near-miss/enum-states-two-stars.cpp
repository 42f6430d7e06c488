std::string strip(const std::string& program) {
    enum { Code, Slash, Line, Block, Star, String, Escape } state = Code;
    std::string out;
    for (char c : program) {
        switch (state) {
            case Slash:
                if (c == '/') {
                    out.pop_back();
                    state = Line;
                    break;
                }
                if (c == '*') {
                    out.back() = ' ';
                    state = Block;
                    break;
                }
                // fall through
            case Code:
                out += c;
                state = c == '/' ? Slash : c == '"' ? String : Code;
                break;
            case Line:
                if (c == '\n') {
                    out += c;
                    state = Code;
                }
                break;
            case Star:
                if (c == '/') {
                    state = Code;
                    break;
                }
                state = Block;
                break;
            case Block:
                state = c == '*' ? Star : Block;
                break;
            case String:
                out += c;
                state = c == '\\' ? Escape : c == '"' ? Code : String;
                break;
            case Escape:
                out += c;
                state = String;
        }
    }
    return out;
}
