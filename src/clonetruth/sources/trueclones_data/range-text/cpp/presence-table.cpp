std::string pageText(vector<int> pages) {
    bool has[45] = {};
    for (int page : pages) has[page + 1] = true;
    ostringstream out;
    for (int i = 1; i < 43; i++) {
        if (!has[i]) continue;
        bool before = has[i - 1], after = has[i + 1];
        if (before && after) {
            if (!has[i - 2] || i == 2) out << "-";
            continue;
        }
        // the end of a run of two has its comma
        if (out.tellp() > 0 && out.str().back() != '-') out << ",";
        out << i - 1;
    }
    return out.str();
}
