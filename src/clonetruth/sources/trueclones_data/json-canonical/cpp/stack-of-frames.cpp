struct Frame {
    bool object;
    string key, list;
    map<string, string> members;
    enum { FIRST, KEY, COLON, VALUE, AFTER } expects;
};

// No recursion: open arrays and objects are on a stack.
string canonize(string text) {
    vector<Frame> open;
    string done;
    auto finished = [&](const string& item) {
        if (open.empty()) {
            if (!done.empty()) return false;
            done = item;
            return true;
        }
        Frame& top = open.back();
        if (top.expects != Frame::VALUE && !(top.expects == Frame::FIRST && !top.object)) return false;
        if (top.object) top.members[top.key] = item;
        else top.list += (top.list.empty() ? "" : ",") + item;
        top.expects = Frame::AFTER;
        return true;
    };
    for (size_t i = 0; i < text.size(); i++) {
        char c = text[i];
        if (c == ' ') continue;
        Frame* top = open.empty() ? nullptr : &open.back();
        if (c == '{' || c == '[') {
            open.push_back({c == '{', "", "", {}, Frame::FIRST});
        } else if (c == '}' || c == ']') {
            if (!top || top->object != (c == '}') || (top->expects != Frame::FIRST && top->expects != Frame::AFTER)) return "error";
            string item = top->list;
            for (auto& member : top->members) item += (item.empty() ? "\"" : ",\"") + member.first + "\":" + member.second;
            item = (top->object ? "{" : "[") + item + c;
            open.pop_back();
            if (!finished(item)) return "error";
        } else if (c == ',') {
            if (!top || top->expects != Frame::AFTER) return "error";
            top->expects = top->object ? Frame::KEY : Frame::VALUE;
        } else if (c == ':') {
            if (!top || top->expects != Frame::COLON) return "error";
            top->expects = Frame::VALUE;
        } else if (c == '"') {
            size_t end = text.find('"', i + 1);
            if (end == string::npos) return "error";
            string word = text.substr(i, end - i + 1);
            if (top && top->object && (top->expects == Frame::FIRST || top->expects == Frame::KEY)) {
                top->key = word.substr(1, word.size() - 2);
                top->expects = Frame::COLON;
            } else if (!finished(word)) {
                return "error";
            }
            i = end;
        } else {
            size_t end = i;
            while (end < text.size() && isalnum(text[end])) end++;
            string word = text.substr(i, end - i);
            bool number = all_of(word.begin(), word.end(), ::isdigit) && (word.size() == 1 || word[0] != '0');
            if ((!number && word != "true" && word != "false" && word != "null") || !finished(word)) return "error";
            i = end - 1;
        }
    }
    return open.empty() && !done.empty() ? done : "error";
}
